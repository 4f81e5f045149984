/**
 * Reads a table of a web page, or the elements that a selector names. Pages often omit closing tags, so the
 * page is parsed into a tree.
 */
import {
  hasColumns,
  headerOf,
  type Layout,
  rowsBelowHeader,
  type TableRecord,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { Columns } from './description-schema.ts'
import type { FormOf } from './file-forms.ts'
import { type Element, elementsOf, parsePage, refuseOpenEnd } from './html-page.ts'
import { readElements } from './read-elements.ts'
import { readTableElement, rowsIn } from './table-element.ts'

type TableForm = { table?: number | string; titleRowsMax: number; headerRows: number }

export async function* readHtmlRows(
  file: SourceFile,
  form: FormOf<'html'>,
  columns: Columns,
): AsyncGenerator<TableRow<string>, void> {
  const encoding = form.encoding ?? 'utf-8'
  if (form.rows_at !== undefined) {
    yield* readElements(file, { encoding, rowsAt: form.rows_at }, columns)
    return
  }
  const document = await parsePage(file, encoding, ({ tagName }) => tagName === 'tr' || tagName === 'table')
  const tables = elementsOf(document).filter(element => element.tagName === 'table')
  const layout = linkedLayout(columns)
  const tableForm = {
    ...form,
    titleRowsMax: form.title_rows_max ?? titleRowsMaxDefault,
    headerRows: form.header_rows ?? 1,
  }
  for (const table of chosen(file.name, [...tables], layout, tableForm)) {
    yield* rowsBelowHeader(file.name, asGenerator(readTableElement(file.name, table)), layout, tableForm)
    refuseOpenEnd(file.name, table)
  }
}

const linkSuffix = '@href'

/** `Website@href` is the column `Website`, of which the links are read; its text too, if also named without. */
function linkedLayout(columns: Columns): Layout<string> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { headers, optional }]) => {
      const linked = headers.filter(header => header.endsWith(linkSuffix))
      const link = linked.length === headers.length ? 'only' : 'or_text'
      return [
        name,
        {
          names: [...new Set(headers.map(header => header.replace(linkSuffix, '')))],
          ...(optional === true ? { optional } : {}),
          ...(linked.length > 0 ? { link } : {}),
        } as const,
      ]
    }),
  )
}

/** The numbered table, all with the columns, the first with them, or the first, to be shown in the error. */
function chosen(
  name: string,
  tables: readonly Element[],
  layout: Layout<string>,
  { table, titleRowsMax, headerRows }: TableForm,
): Element[] {
  const counted = tables.length === 1 ? 'one table' : `${tables.length} tables`
  if (typeof table === 'number') {
    const found = tables[table - 1]
    if (found === undefined) throw new Refusal(`"${name}": expected table ${table}, found ${counted}`)
    return [found]
  }
  const [first] = tables
  if (first === undefined) throw new Refusal(`"${name}": expected a table, found a page without one`)
  const withColumns = tables.filter(each => {
    const head = [...rowsIn(each).take(titleRowsMax + headerRows)].map(({ cells }) => cells)
    return head.some((_, at) => hasColumns(headerOf(head.slice(at, at + headerRows)), layout))
  })
  if (table === 'all' && withColumns.length > 0) return withColumns
  return [withColumns[0] ?? first]
}

async function* asGenerator(records: Iterable<TableRecord>): AsyncGenerator<TableRecord, void> {
  yield* records
}
