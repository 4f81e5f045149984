import { readFileSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'
import { markets } from '../../core/markets.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import type { Reading, SourceFile, Stream } from '../stream.ts'
import { type Gathered, gather } from '../streams/fixture.ts'
import { readDescription } from './read-description.ts'
import { zipParts } from './workbook-parts.ts'

export const marketCodes = markets.map(market => market.code)

export const fixtureText = (name: string) =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
export const fixtureBytes = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

export function described(text: string): Stream {
  const reading = readDescription(text, marketCodes)
  if (!reading.ok)
    throw new Error(reading.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return reading.stream
}

export const problemsOf = (text: string) => {
  const reading = readDescription(text, marketCodes)
  return reading.ok ? [] : reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

export const jsonDescription = {
  key: 'jersey.sites',
  market: 'jersey',
  covers: ['register'],
  regulator: 'Commission',
  regulator_country_code: 'JE',
  official_url: 'https://regulator.example/',
  cadence: { words: 'daily', hours: 24 },
  publishes: { revoked: false, dates: false, domains: true, roles: false },
  identity: 'the site',
  rows_min: 1,
  source_claim: 'authorised_domain',
  qualification: 'Sites.',
  source_identity: 'Sites',
  file: { format: 'tsv' },
  columns: { site: { headers: ['Site'] } },
  records: { authorised_domains: { domain: { column: 'site' } } },
}

const readings = (stream: Stream, content: Uint8Array | string, name = 'file'): AsyncIterable<Reading> =>
  stream.read([fileOfBytes(name, content, 1_024)])

export function read(text: string, content: Uint8Array | string, name?: string): Promise<Gathered> {
  return gather(readings(described(text), content, name))
}

export const inPieces = (name: string, pieceBytes: number): SourceFile =>
  fileOfBytes(name, fixtureBytes(name), pieceBytes)

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** `A1:C1` and the like, by sheet. */
type Merged = Readonly<Record<string, readonly string[]>>

const mergedCells = (ranges: readonly string[]) =>
  ranges.length === 0
    ? ''
    : `<mergeCells>${ranges.map(range => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`

/** The parts of a workbook; `sheets` maps names to the XML of their rows. Style 1 is a date. */
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

/** An archive of one compressed part, with these sizes and checksums in its records. */
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

/** A PDF of these texts, in points from the lower left corner of each page, which is wide. */
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

/** The first object is the catalog. */
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

/** Rows of cells, the columns at these places, from the top of a page; 40 rows a page. */
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
