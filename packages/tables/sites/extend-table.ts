import { readDomain } from '@baize/names'
import { writeWorkbook } from '../formats/write-workbook.ts'
import { readTableOfSites } from './read-sites.ts'

/** The columns that a table gets, and their cells by the registrable domain of a row's site. */
export type Extension = { titles: readonly string[]; cells: ReadonlyMap<string, readonly string[]> }

export type ExtendedTable = { bytes: Uint8Array; isWorkbook: boolean }

/**
 * Adds columns to the table of a customer: a workbook stays one, text keeps its delimiter. Text with a byte
 * order mark keeps that, as UTF-8. Rows without a known site get the reason in the last column.
 */
export async function extendTable(
  file: Uint8Array,
  wanted: string | undefined,
  { titles, cells }: Extension,
): Promise<ExtendedTable> {
  const { rows, columns, hasTitles, at, delimiter, hasByteOrderMark } = await readTableOfSites(file, wanted)
  const own = (row: readonly string[]) => columns.map((_, place) => row[place] ?? '')
  const first = [...(hasTitles ? columns : columns.map((_, place) => `Column ${place + 1}`)), ...titles]
  const table = (hasTitles ? rows.slice(1) : rows).map(row => [
    ...own(row),
    ...addedTo(row[at] ?? '', cells, titles),
  ])
  if (delimiter === null) return { bytes: writeWorkbook([first, ...table]), isWorkbook: true }
  const mark = hasByteOrderMark ? '\ufeff' : ''
  const lines = [first, ...table].map(row => row.map(cell => quoted(cell, delimiter)).join(delimiter))
  return { bytes: Buffer.from(`${mark}${lines.join('\r\n')}\r\n`), isWorkbook: false }
}

function addedTo(site: string, cells: Extension['cells'], titles: readonly string[]): readonly string[] {
  const empty = titles.slice(1).map(() => '')
  if (site === '') return [...empty, 'no site']
  const read = readDomain(site)
  return read.ok ? (cells.get(read.domain) ?? [...empty, 'not screened yet']) : [...empty, 'not a site']
}

/** Matches text that needs quotes, beside the delimiter. */
const special = /["\r\n]|^\s|\s$/

const quoted = (cell: string, delimiter: string) =>
  special.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
