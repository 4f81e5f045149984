import { readDomain } from '@baize/names'
import { parse } from 'csv-parse/sync'
import { SheetRows } from '../formats/sheet-rows.ts'
import { openWorkbook } from '../formats/workbook.ts'
import { fileOfBytes, Refusal } from '../source/source-file.ts'

/** The column of sites of a table, or of a list with a site on each line. */
export type Sites = {
  /** The title of the column; its number from 1 without a title. */
  column: string
  columns: string[]
  /** The number of the column, from 1. */
  number: number
  /** The cells of the column that are not empty. */
  sites: string[]
}

/** A table of a customer, and where its sites are. */
export type TableOfSites = {
  rows: readonly string[][]
  columns: string[]
  hasTitles: boolean
  /** The place of the column of sites. */
  at: number
  /** null: a workbook. */
  delimiter: string | null
  hasByteOrderMark: boolean
}

const rowsMax = 100_001
const columnsMax = 50
/** The first rows decide which column has the sites. */
const rowsLookedAtMax = 1_000
const delimiters = [';', '\t', ',', '|']

/**
 * Reads CSV with a usual delimiter, UTF-8 or UTF-16, a list of lines, or the first visible sheet of an XLSX.
 * `wanted` is the title or number of the column; without it, the column with the most domains is chosen.
 */
export async function readSites(bytes: Uint8Array, wanted?: string): Promise<Sites> {
  const { rows, columns, hasTitles, at } = await readTableOfSites(bytes, wanted)
  const cells = (hasTitles ? rows.slice(1) : rows).map(row => row[at] ?? '')
  return { column: columns[at] ?? '', columns, number: at + 1, sites: cells.filter(cell => cell !== '') }
}

export async function readTableOfSites(bytes: Uint8Array, wanted?: string): Promise<TableOfSites> {
  const isWorkbook = bytes[0] === 0x50 && bytes[1] === 0x4b
  const text = isWorkbook ? '' : textOf(bytes)
  const delimiter = isWorkbook ? null : delimiterOf(text)
  const rows = delimiter === null ? await sheetRows(bytes) : textRows(text, delimiter)
  if (rows.length > rowsMax) throw new Refusal(`The file has more than ${rowsMax - 1} rows.`)
  const width = Math.max(0, ...rows.map(row => row.length))
  if (width === 0) throw new Refusal('The file has no rows.')
  if (width > columnsMax) throw new Refusal(`The file has more than ${columnsMax} columns.`)
  const [first = []] = rows
  const hasTitles = !first.some(isDomain)
  const columns = Array.from({ length: width }, (_, at) => (hasTitles && first[at]) || String(at + 1))
  const hasByteOrderMark = bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0xef
  return { rows, columns, hasTitles, at: columnOf(columns, rows, wanted), delimiter, hasByteOrderMark }
}

const isDomain = (cell: string) => readDomain(cell).ok

function columnOf(columns: readonly string[], rows: readonly string[][], wanted: string | undefined): number {
  if (wanted !== undefined) {
    const named = columns.findIndex(each => each.toLowerCase() === wanted.toLowerCase())
    const at = named === -1 ? Number(wanted) - 1 : named
    if (columns[at] !== undefined) return at
    throw new Refusal(`There is no column "${wanted}"; there are ${columns.join(', ')}.`)
  }
  const counts = columns.map(
    (_, at) => rows.slice(0, rowsLookedAtMax).filter(row => isDomain(row[at] ?? '')).length,
  )
  const most = Math.max(...counts)
  if (most === 0) throw new Refusal(`No column has domains; there are ${columns.join(', ')}.`)
  return counts.indexOf(most)
}

function textOf(bytes: Uint8Array): string {
  const [one, two] = bytes
  const encoding =
    one === 0xff && two === 0xfe ? 'utf-16le' : one === 0xfe && two === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes).replace(/^sep=.\r?\n/, '')
}

function delimiterOf(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
  const counts = delimiters.map(each => line.split(each).length)
  const most = Math.max(...counts)
  return (most > 1 && delimiters[counts.indexOf(most)]) || '\t'
}

function textRows(text: string, delimiter: string): string[][] {
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: rowsMax + 1,
  }
  try {
    const rows = parse(text, { ...options, trim: true }) as string[][]
    return rows.map(row => row.slice(0, columnsMax + 1))
  } catch (cause) {
    throw new Refusal('The file is not CSV, a list of sites, or XLSX.', { cause })
  }
}

async function sheetRows(bytes: Uint8Array): Promise<string[][]> {
  const workbook = await openWorkbook(fileOfBytes('workbook', bytes))
  const sheet = workbook.sheets.find(({ isHidden }) => !isHidden)
  const rows: string[][] = []
  if (sheet === undefined) return rows
  for await (const { cells } of new SheetRows(workbook, sheet).records()) {
    rows.push(cells.map(cell => cell.trim()))
    if (rows.length > rowsMax) break
  }
  return rows
}
