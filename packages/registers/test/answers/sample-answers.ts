/**
 * Reads `samples/<stream>/`. `sample.*` is the file in the exact official layout with fictional names;
 * `sample-1.*`, `sample-2.*` are its pages. `index.*` is the page that links to it, and `expected.json` has
 * the expected records.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileOfBytes, type SourceFile } from '@baize/tables'
import { pdfTable, workbook } from '@baize/tables/test/make-files'
import type { Expected } from '../../add-register.ts'
import { descriptions } from '../../descriptions.ts'
import { answer, escaped, type OfficialAnswer } from './answer.ts'

const samples = new URL('../samples/', import.meta.url)

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

export function expectedOf(key: string): Expected {
  const file = new URL(`${key}/expected.json`, samples)
  if (!existsSync(file))
    throw new Error(
      `packages/registers/test/samples/${key} has no expected.json, the records of its sample: ` +
        '"register describe FILE --add --sample FILE" writes it',
    )
  return JSON.parse(readFileSync(file, 'utf8'))
}

export const describedRegisters = descriptions.filter(each => !('reader' in each))

/** Returns the answers of the official site: the index page, if there is one, and the files. */
export function sampleAnswers(key: string): OfficialAnswer[] {
  const register = descriptions.find(each => each.key === key)
  if (register === undefined) throw new Error(`no description of ${key}`)
  const names = namesOf(key, 'sample')
  const urls = fileUrlsOf(register, names.length)
  const files = names.map((name, index) => fileAnswer(key, name, urls[index] ?? ''))
  const parts = [register, 'reader' in register ? undefined : register.second_file]
  const linking = parts.flatMap(part =>
    /link|field/.test(part?.resolve?.by ?? '') ? [part?.official_url] : [],
  )
  const indexes = [
    ...namesOf(key, 'index').map((name, index) => fileAnswer(key, name, linking[index] ?? '')),
    ...namesOf(key, 'next').map(name => fileAnswer(key, name, expectedOf(key).next_url ?? '')),
  ]
  return [...indexes.map(each => ({ ...each, isIndex: true as const })), ...files]
}

/** Returns the files of the sample in pieces that split characters and lines. */
export const filesOf = (answers: readonly OfficialAnswer[]): SourceFile[] =>
  answers
    .filter(each => each.isIndex !== true)
    .map(({ url, body }, index) => fileOfBytes(url.split('/').at(-1) || `file-${index + 1}`, body(), 997))

function namesOf(key: string, stem: 'sample' | 'index' | 'next'): string[] {
  const names = readdirSync(new URL(key, samples)).filter(name => /^[a-z]+/.exec(name)?.[0] === stem)
  if (stem === 'sample' && names.length === 0)
    throw new Error(`packages/registers/test/samples/${key} has no sample`)
  return names.toSorted()
}

function fileUrlsOf({ key, official_url, file_urls, resolve }: Register, count: number): string[] {
  const { file_url, file_urls: pages } = expectedOf(key)
  if (pages !== undefined) return pages
  if (file_url !== undefined) return [file_url]
  const { parameter } = resolve ?? {}
  if (file_urls !== undefined || parameter === undefined) return file_urls ?? [official_url]
  const further = Array.from({ length: count - 1 }, (_, index) => `${official_url}?${parameter}=${index + 1}`)
  return [official_url, ...further]
}

type Register = (typeof descriptions)[number]

/**
 * Builds the file from its text: `sample.xlsx.tsv` has the rows of a sheet, `sample.pdf.tsv` those of a
 * PDF's table.
 */
function fileAnswer(key: string, name: string, url: string): OfficialAnswer {
  const [, ending = '', isText] = name.split('.')
  const type = types[ending]
  if (type === undefined)
    throw new Error(`packages/registers/test/samples/${key}/${name} has an unknown ending`)
  const read = () => readFileSync(new URL(`${key}/${name}`, samples))
  if (isText === undefined) return answer(url, type, read)
  return answer(url, type, () =>
    ending === 'pdf' ? pdfOfRows(rowsOf(read())) : workbookOfRows(rowsOf(read()), sheetOf(key)),
  )
}

/** Returns the name of the sheet that the description reads. */
function sheetOf(key: string): string {
  const register = describedRegisters.find(each => each.key === key)
  const { file } = register as Extract<Register, { file: unknown }>
  return file.format === 'xlsx' && typeof file.sheet === 'string' ? file.sheet : 'Sheet1'
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

const workbookOfRows = (rows: string[][], sheet: string): Uint8Array =>
  workbook({ [sheet]: rows.map(sheetRow).join('') })

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
