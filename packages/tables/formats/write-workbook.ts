import { strToU8, zipSync } from 'fflate'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The most characters that a spreadsheet accepts in a cell. */
const cellCharactersMax = 32_767

/** Writes a workbook with one sheet of text cells, whose first row stays in view. Formulas stay text. */
export function writeWorkbook(rows: readonly (readonly string[])[]): Uint8Array {
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="${sheetType}.worksheet+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/></Types>`,
    '_rels/.rels': relation(`${relations}/officeDocument`, 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>
<sheet name="Sites" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation(`${relations}/worksheet`, 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  }
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(`${head}${xml}`)] as const)
  return zipSync(Object.fromEntries(files), { level: 4 })
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const relation = (type: string, target: string) =>
  `<Relationships xmlns="${packaged}/relationships">
<Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`

const rowXml = (cells: readonly string[]) => `<row>${cells.map(cellXml).join('')}</row>`

const cellXml = (text: string) =>
  text === ''
    ? '<c/>'
    : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, cellCharactersMax))}</t></is></c>`

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text, without the control characters that XML has no form for. */
const escaped = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>]/g, sign => entities[sign] ?? sign)
