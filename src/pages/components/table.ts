import { type Content, type Html, html } from '../html.ts'

export type CellValue = string | number | boolean | null | readonly string[]

export type Column<Row> = {
  name: string
  cell(row: Row): Content
  /** The name of the column in addresses and files. Without one it is in no file, and sorts nothing. */
  key?: string
  /** The value in files, and by which rows are sorted: by default the row's member of the name `key`. */
  value?(row: Row): CellValue
  /** Whether the values are few, so that links choose among them. */
  isFacet?: boolean
  /** Returns words for a value of such a link. */
  facetName?(value: string): string
  /** Whether the column is aligned by its digits. */
  isNumber?: boolean
  /** Whether the column is in files only. */
  isFileOnly?: boolean
  /** Whether only screen readers get the name of the column. */
  isUnnamed?: boolean
}

/** Limits the rows of a page; files have all. */
export const rowsShownMax = 100

const numberClass = ({ isNumber }: { isNumber?: boolean }) => isNumber === true && html` class="number"`

/** Returns the value of a cell for files and orders. */
export function cellValue<Row>({ key, value }: Column<Row>, row: Row): CellValue {
  if (value !== undefined) return value(row)
  return ((row as Record<string, CellValue>)[key ?? ''] ?? null) as CellValue
}

/** Declares columns that are in files only, because a cell of the page shows them with others. */
export const fileOnly = (
  ...keys: string[]
): { name: string; key: string; isFileOnly: true; cell(): null }[] =>
  keys.map(key => ({ name: key, key, isFileOnly: true, cell: () => null }))

export const facetValue = <Row>(column: Column<Row>, row: Row): string => String(cellValue(column, row) ?? '')

export type Table<Row> = {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Replaces a table without rows. */
  empty?: Html
  /** The links that sort, by the keys of columns. */
  heads?: ReadonlyMap<string, Head>
}
type Head = { href: string; order: 'ascending' | 'descending' | null }

/** A table of a page. Its address sorts and filters it, and is also that of files with its rows. */
export type DataTable<Row> = Table<Row> & {
  /** The name of the table in addresses. */
  id: string
  /** The links to other pages of a list. Its rows keep their order, because the others are not here. */
  pages?: { after: string | null; before?: string | null }
  /** Limits the rows of the page. Files have all. */
  shownMax?: number
  /** Whether some rows are on no page. */
  isPart?: boolean
  /** Whether an operation of its own writes the CSV. */
  hasOwnCsv?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the tables of a page have rows of different types.
export type AnyDataTable = DataTable<any>

/** Draws a table. On narrow screens each row becomes a list of its columns' names and cells. */
export function table<Row>({ name, columns: all, rows, empty, heads }: Table<Row>): Html {
  if (rows.length === 0 && empty !== undefined) return empty
  const columns = all.filter(({ isFileOnly }) => !isFileOnly)
  const head = columns.map(column => {
    const shown = column.isUnnamed ? html`<span class="unseen">${column.name}</span>` : column.name
    const head = heads?.get(column.key ?? '')
    const order = head?.order && html` aria-sort="${head.order}"`
    return html`<th scope="col"${numberClass(column)}${order}>${
      head === undefined ? shown : html`<a href="${head.href}">${shown}</a>`
    }</th>`
  })
  const body = rows.map(row => {
    const cells = columns.map(
      column => html`<td${numberClass(column)} data-name="${column.name}">${column.cell(row)}</td>`,
    )
    return html`<tr>${cells}</tr>\n`
  })
  return html`<div class="scroll"><table><caption class="unseen">${name}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

/** Links to the next and the previous page; null for a missing page. */
export function pager(after: string | null, before: string | null = null): Html {
  if (before === null && after === null) return html``
  const previous = before === null ? html`<span></span>` : html`<a href="${before}" rel="prev">← Previous</a>`
  const next = after === null ? html`<span></span>` : html`<a href="${after}" rel="next">Next →</a>`
  return html`<nav class="pager" aria-label="Pages">
${previous}${next}</nav>`
}
