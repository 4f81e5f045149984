/**
 * Reads a table of a web page, or the elements that match a selector. Pages often omit closing tags, so the
 * page is parsed into a tree.
 */

import { counted } from '@baize/names'
import type { FormOf } from '../description/file-forms.ts'
import type { Columns } from '../description/table-schema.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import {
  hasColumns,
  headerOf,
  type Layout,
  rowsBelowHeader,
  type TableRecord,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import { besideRowsNotice, otherTableNotice } from './beside-rows.ts'
import { type Element, elementsOf, parseHtmlFile, refuseOpenEnd } from './html-page.ts'
import { readElements } from './read-elements.ts'
import { readTableElement, rowsIn } from './table-element.ts'
import { headingsAbove } from './table-headings.ts'

type TableForm = { table?: number | string; titleRowsMax: number; headerRows: number }

export async function* readHtmlRows(
  file: SourceFile,
  form: FormOf<'html'>,
  columns: Columns,
  onCount: (printed: number | null) => void,
): AsyncGenerator<TableRow<string>, void> {
  const encoding = form.encoding ?? 'utf-8'
  if (form.rows_at !== undefined) {
    const { rows_at: rowsAt, ignore, count } = form
    yield* readElements(file, { encoding, rowsAt, ignore, count, onCount }, columns)
    return
  }
  const document = await parseHtmlFile(
    file,
    encoding,
    ({ tagName }) => tagName === 'tr' || tagName === 'table',
  )
  const tables = [...elementsOf(document).filter(element => element.tagName === 'table')]
  const [headings, ofTable] = splitColumns(columns)
  const layout = linkedLayout(ofTable)
  const tableForm = {
    ...form,
    titleRowsMax: form.title_rows_max ?? titleRowsMaxDefault,
    headerRows: form.header_rows ?? 1,
  }
  const read = chosen(file.name, tables, layout, tableForm)
  const above = headingsAbove(file.name, document, read, headings)
  for (const table of read) {
    const records = asGenerator(readTableElement(file.name, table))
    for await (const row of rowsBelowHeader(file.name, records, layout, tableForm)) {
      if (row.kind === 'row') Object.assign(row.cells, above.get(table))
      yield row
    }
    refuseOpenEnd(file.name, table)
  }
  if (typeof form.table === 'number') return
  const own = new Set(read)
  const around = new Set(read.flatMap(table => [...tablesAround(table)]))
  for (const table of tables) {
    const published = firstRow(table)
    const isPart = around.has(table) || own.has(table) || tablesAround(table).some(each => own.has(each))
    if (published === '' || isPart) continue
    const notice = hasSomeColumns(table, layout, tableForm) ? besideRowsNotice : otherTableNotice
    yield { kind: 'notice', notice, published }
  }
}

const firstRow = (table: Element) =>
  rowsIn(table)
    .map(({ cells }) => cells.filter(cell => cell !== '').join(' | '))
    .find(row => row !== '') ?? ''

function* tablesAround(table: Element): Generator<Element, void> {
  for (let node = table.parentNode; node !== null && 'tagName' in node; node = node.parentNode)
    if (node.tagName === 'table') yield node
}

/** Detects a table that is probably one of this list, in a changed layout: it has half of the columns. */
function hasSomeColumns(table: Element, layout: Layout<string>, { titleRowsMax, headerRows }: TableForm) {
  const required = Object.values(layout).filter(({ optional }) => optional !== true)
  return headsOf(table, titleRowsMax, headerRows).some(
    header => required.filter(column => hasColumns(header, { column })).length * 2 >= required.length,
  )
}

function headsOf(table: Element, titleRowsMax: number, headerRows: number): string[][] {
  const head = [...rowsIn(table).take(titleRowsMax + headerRows)].map(({ cells }) => cells)
  return head.map((_, at) => headerOf(head.slice(at, at + headerRows)))
}

/** Separates the columns with `above`, which are read beside the table. */
function splitColumns(columns: Columns): [headings: Columns, ofTable: Columns] {
  const { heading = [], cell = [] } = Object.groupBy(Object.entries(columns), ([, { above }]) =>
    above === true ? 'heading' : 'cell',
  )
  return [Object.fromEntries(heading), Object.fromEntries(cell)]
}

const linkSuffix = '@href'

/**
 * Maps `Website@href` to the links of the column `Website`. Its text is read too if `Website` is also
 * listed.
 */
function linkedLayout(columns: Columns): Layout<string> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { headers, optional }]) => {
      const linked = headers.filter(header => header.endsWith(linkSuffix))
      const link = linked.length === headers.length ? 'only' : 'or_text'
      return [
        name,
        {
          headers: [...new Set(headers.map(header => header.replace(linkSuffix, '')))],
          ...(optional === true ? { optional } : {}),
          ...(linked.length > 0 ? { link } : {}),
        } as const,
      ]
    }),
  )
}

/**
 * Chooses the numbered table, all tables with the columns, or the first one with them. Without any it
 * returns the first table, for the error.
 */
function chosen(
  name: string,
  tables: readonly Element[],
  layout: Layout<string>,
  { table, titleRowsMax, headerRows }: TableForm,
): Element[] {
  const count = counted(tables.length, 'table')
  if (typeof table === 'number') {
    const found = tables[table - 1]
    if (found === undefined) throw new Refusal(`"${name}": expected table ${table}, found ${count}`)
    return [found]
  }
  const [first] = tables
  if (first === undefined) throw new Refusal(`"${name}": expected a table, found a page without one`)
  const withColumns = tables.filter(each =>
    headsOf(each, titleRowsMax, headerRows).some(header => hasColumns(header, layout)),
  )
  if (table === 'all' && withColumns.length > 0) return withColumns
  return [withColumns[0] ?? first]
}

async function* asGenerator(records: Iterable<TableRecord>): AsyncGenerator<TableRecord, void> {
  yield* records
}
