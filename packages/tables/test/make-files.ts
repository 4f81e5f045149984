/** Makes workbooks, archives and PDFs for tests. */
import { crc32, deflateRawSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'

type Parts = ReadonlyMap<string, Buffer>

export const zipParts = (parts: Parts): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }))
export const packedParts = (parts: Parts): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(parts), { level: 9 }))
export const unzipParts = (archive: Uint8Array): Parts =>
  new Map(Object.entries(unzipSync(archive)).map(([name, part]) => [name, Buffer.from(part)]))

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Merged ranges such as `A1:C1`, by sheet. */
type Merged = Readonly<Record<string, readonly string[]>>

const mergedCells = (ranges: readonly string[]) =>
  ranges.length === 0
    ? ''
    : `<mergeCells>${ranges.map(range => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`

/** Returns the parts of a workbook. `sheets` maps names to the XML of their rows. Style 1 is a date. */
export function workbookParts(
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[] = [],
  merged: Merged = {},
): Map<string, Buffer> {
  const names = Object.keys(sheets)
  const part = (xml: string) => Buffer.from(xmlHead + xml)
  return new Map([
    [
      '[Content_Types].xml',
      part('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    ],
    [
      'xl/workbook.xml',
      part(
        `<workbook xmlns:r="${relations}"><sheets>${names
          .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
          .join('')}</sheets></workbook>`,
      ),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      part(
        `<Relationships>${names
          .map(
            (_, index) =>
              `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" ` +
              `Target="worksheets/sheet${index + 1}.xml"/>`,
          )
          .join('')}<Relationship Id="s" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>` +
          `<Relationship Id="t" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
      ),
    ],
    ['xl/sharedStrings.xml', part(`<sst>${strings.map(text => `<si><t>${text}</t></si>`).join('')}</sst>`)],
    [
      'xl/styles.xml',
      part('<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'),
    ],
    ...names.map((name, index): [string, Buffer] => [
      `xl/worksheets/sheet${index + 1}.xml`,
      part(`<worksheet><sheetData>${sheets[name]}</sheetData>${mergedCells(merged[name] ?? [])}</worksheet>`),
    ]),
  ])
}

export const workbook = (
  sheets: Readonly<Record<string, string>>,
  strings?: readonly string[],
  merged?: Merged,
) => zipParts(workbookParts(sheets, strings, merged))

/** Returns a header and 20 rows of licenses, as hungary-licences.yaml describes them. */
export function sheetRows(): string {
  const cell = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (number: number, values: readonly string[]) => {
    const cells = values.map((value, index) => cell(`${'ABCD'[index]}${number}`, value))
    return `<row r="${number}">${cells.join('')}</row>`
  }
  const rows = Array.from({ length: 20 }, (_, index) =>
    row(index + 2, [`Otter ${index}`, `L-${index}`, '1.1.2024', `otter${index}.example`]),
  )
  return row(1, ['Holder', 'Number', 'Granted', 'Site']) + rows.join('')
}

/** Returns an archive of one compressed part, with these sizes and checksums in its records. */
export function packedZip(
  name: string,
  part: Buffer,
  declared: { unpackedBytes?: number; crc?: number } = {},
): Buffer {
  const packed = deflateRawSync(part)
  const archive = zipParts(new Map([[name, packed]]))
  const entry = archive.length - 22 - 46 - name.length
  for (const at of [0 + 4, entry + 6]) {
    archive.writeUInt16LE(8, at + 4)
    archive.writeUInt32LE(declared.crc ?? crc32(part), at + 10)
    archive.writeUInt32LE(declared.unpackedBytes ?? part.length, at + 18)
  }
  return archive
}

type Placed = { text: string; left: number; base: number }

/** Returns a PDF of these texts on wide pages. Positions are points from the lower left corner. */
export function pdfOf(pages: readonly (readonly Placed[])[]): Buffer {
  const streams = pages.map(page =>
    page
      .map(
        ({ text, left, base }) =>
          `BT /F1 10 Tf ${left} ${base} Td (${text.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`,
      )
      .join('\n'),
  )
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    pdfFont,
    ...streams.flatMap((stream, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1800 842] /Contents ${5 + 2 * index} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
      pdfStream('', stream),
    ]),
  ])
}

export const pdfFont = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
export const pdfStream = (entries: string, stream: string) =>
  `<< ${entries} /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`

/** Returns a PDF of these objects. The first object is the catalog. */
export function pdfOfObjects(objects: readonly string[]): Buffer {
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const xref = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** Returns a PDF of rows whose columns begin at `lefts`, 40 rows a page. */
export function pdfTable(rows: readonly (readonly string[])[], lefts: readonly number[]): Buffer {
  const pages: Placed[][] = []
  for (const [index, cells] of rows.entries()) {
    const page = Math.floor(index / 40)
    pages[page] ??= []
    const base = 800 - (index % 40) * 16
    for (const [place, text] of cells.entries())
      if (text !== '') pages[page].push({ text, left: lefts[place] ?? 0, base })
  }
  return pdfOf(pages)
}
