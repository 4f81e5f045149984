import { type Html, html } from '../html.ts'
import type { TableOf, View } from '../page.ts'
import { facetLinks, fileLinks, orderLinks, sortLinks } from './data-table-tools.ts'
import { emptyState } from './notice.ts'
import {
  type AnyDataTable,
  type CellValue,
  type Column,
  cellValue,
  type DataTable,
  facetValue,
  pager,
  table,
} from './table.ts'
import { type TableAddress, tableLink } from './table-address.ts'
import { number } from './text.ts'

type At = Pick<View, 'address'>

/** Declares a table once, for the page and for files. Addresses name the first table of a page by nothing. */
export function defineTable<Data, Row>(
  id: string,
  make: (data: Data, view: View) => Omit<DataTable<Row>, 'id'>,
): TableOf<Data> {
  // Only tables of the dashboard read more of the view than its address.
  const of = (data: Data, view: At) => ({ ...make(data, view as View), id })
  return { id, of, draw: (data, view) => drawTable(of(data, view), view.address) }
}

function isWhole({ pages, isPart = false }: AnyDataTable): boolean {
  return !isPart && (pages === undefined || (pages.after === null && (pages.before ?? null) === null))
}

/** Returns the rows that the address chooses, in its order. */
function chosenRows<Row>(table: DataTable<Row>, address: TableAddress): readonly Row[] {
  if (!isChosen(table, address) || !isWhole(table)) return table.rows
  const { columns, rows } = table
  const chosen = rows.filter(row => matches(row, columns, address.where))
  const column = columns.find(({ key }) => key !== undefined && key === sortedBy(address).key)
  if (column === undefined) return chosen
  const sign = sortedBy(address).isDescending ? -1 : 1
  return chosen.toSorted((one, other) => compare(cellValue(column, one), cellValue(column, other), sign))
}

export const isChosen = ({ id }: { id: string }, { table, first }: TableAddress): boolean =>
  (table ?? first) === id

const sortedBy = ({ sort }: TableAddress) => ({
  key: sort?.replace(/^-/, ''),
  isDescending: sort?.startsWith('-') ?? false,
})

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares numbers by size and texts by words. Missing values are last in either order. */
function compare(one: CellValue, other: CellValue, sign: number): number {
  const [isLast, isOtherLast] = [isMissing(one), isMissing(other)]
  if (isLast || isOtherLast) return Number(isLast) - Number(isOtherLast)
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
  return sign * inOrder.compare(String(one), String(other))
}

const isMissing = (value: CellValue) => value === null || value === ''

function matches<Row>(row: Row, columns: readonly Column<Row>[], where: readonly string[]): boolean {
  return where.every(each => {
    const [, key, value] = /^([^:]*):(.*)$/s.exec(each) ?? []
    const column = columns.find(of => of.key !== undefined && of.key === key)
    return column === undefined || facetValue(column, row) === value
  })
}

function drawTable<Row>(of: DataTable<Row>, address: TableAddress): Html {
  const { name, columns, rows: all, empty, pages, shownMax: most = all.length } = of
  const own = address.first === of.id ? { ...address, table: null } : { ...address, table: of.id }
  const at = isChosen(of, address) ? own : { ...own, sort: null, where: [] }
  if (all.length === 0) return html`${empty ?? table({ name, columns, rows: all })}${pagesOf(pages)}`
  const rows = chosenRows(of, at)
  const canSort = isWhole(of) && all.length > 1
  const wasAsked = at.sort !== null || at.where.length > 0
  return html`${canSort && [facetLinks(of, at), orderLinks(of, at)]}
${wasAsked && !isWhole(of) && html`<p class="hint">A list of several pages keeps its order.</p>`}
${
  rows.length === 0
    ? emptyState('No row matches.', html`<a href="${tableLink(at, { where: [] })}">Show all</a>`)
    : table({ name, columns, rows: rows.slice(0, most), ...(canSort && { heads: sortLinks(columns, at) }) })
}
${rows.length > most && restHint(most, rows.length)}
${all.length > 1 && fileLinks(of, at)}${pagesOf(pages)}`
}

const restHint = (shown: number, all: number): Html =>
  html`<p class="hint">The first ${number(shown)} of ${number(all)}. The files have all.</p>`

type TableFile = {
  keys: readonly string[]
  rows: readonly (readonly CellValue[])[]
  /** The address of the same file of the next page; null on the last one. */
  next: string | null
  /** Whether the file has all rows of the table that match. */
  isComplete: boolean
}

/** Returns the rows that the page shows, as values by the keys of the columns. */
export function tableFile(of: AnyDataTable, address: TableAddress, ending: string): TableFile {
  const columns = of.columns.filter(({ key }) => key !== undefined)
  const rows = chosenRows(of, address).map(row => columns.map(column => cellValue(column, row)))
  const next = of.pages?.after?.replace(/^[^?]*/, path => `${path}.${ending}`) ?? null
  return { keys: columns.map(({ key }) => String(key)), rows, next, isComplete: isWhole(of) }
}

const pagesOf = (pages: DataTable<unknown>['pages']): Html =>
  pages === undefined ? html`` : pager(pages.after, pages.before)
