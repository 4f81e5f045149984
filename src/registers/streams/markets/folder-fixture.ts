/** `<stream>/fixture.*`: the file in the exact official layout, with fictional names; `index.*`: the page that leads to it. */
import { readdirSync, readFileSync } from 'node:fs'
import { pdfTable, workbook } from '../../described/fixture.ts'
import type { NormalisedRow } from '../../stream.ts'
import { answer, escaped, type OfficialAnswer } from '../official-answer.ts'

/** `<stream>/expected.json`: what the fixture becomes. */
export type Expected = {
  /** Where the index page leads to. Absent: the official URL is the file's. */
  file_url?: string
  records: Partial<Record<NormalisedRow['record'], number>>
  /** Counts of rejected rows by reason. */
  rejected: Record<string, number>
  /** Members of the first record of each kind. */
  first: Partial<Record<NormalisedRow['record'], object>>
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

export function expectedOf(folder: string): Expected {
  return JSON.parse(readFileSync(new URL(`${folder}/expected.json`, import.meta.url), 'utf8'))
}

type Site = { key: string; officialUrl: string }

/** The file, whether the site can be asked for it or not. */
export const folderFile = ({ key, officialUrl }: Site): OfficialAnswer =>
  siteFile(key, 'fixture', expectedOf(key).file_url ?? officialUrl)

/** What the official site answers: the index page, if there is one, and the file. */
export function folderAnswers(site: Site): OfficialAnswer[] {
  const file = folderFile(site)
  return file.url === site.officialUrl ? [file] : [siteFile(site.key, 'index', site.officialUrl), file]
}

/** `fixture.xlsx.tsv` is the text of a sheet, and `fixture.pdf.tsv` that of a PDF's table. */
function siteFile(folder: string, stem: 'fixture' | 'index', url: string): OfficialAnswer {
  const name = readdirSync(new URL(folder, import.meta.url)).find(each => each.startsWith(`${stem}.`))
  const [, ending = '', isText] = name?.split('.') ?? []
  const type = types[ending]
  if (type === undefined) throw new Error(`${folder} has no ${stem} with a known ending`)
  const read = () => readFileSync(new URL(`${folder}/${name}`, import.meta.url))
  if (isText === undefined) return answer(url, type, read)
  const make = ending === 'pdf' ? pdfOfRows : workbookOfRows
  return answer(url, type, () => make(rowsOf(read())))
}

const rowsOf = (bytes: Buffer): string[][] =>
  bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t'))

function pdfOfRows(rows: string[][]): Uint8Array {
  const columns = Math.max(...rows.map(row => row.length))
  return pdfTable(
    rows,
    Array.from({ length: columns }, (_, column) => 40 + column * 180),
  )
}

const workbookOfRows = (rows: string[][]): Uint8Array => workbook({ Sheet1: rows.map(sheetRow).join('') })

const sheetRow = (cells: string[], row: number): string =>
  `<row r="${row + 1}">${cells
    .map((text, column) => (text === '' ? '' : sheetCell(`${columnLetter(column)}${row + 1}`, text)))
    .join('')}</row>`

const sheetCell = (place: string, text: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`

const columnLetter = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : columnLetter(Math.floor(index / 26) - 1) + columnLetter(index % 26)
