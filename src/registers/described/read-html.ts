/**
 * Reads a table of a web page. Pages often omit closing tags, so the page is parsed into a tree. The tree
 * is bounded: a few bytes can make an HTML parser open very many elements.
 */
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parse,
  type TreeAdapter,
} from 'parse5'
import {
  hasColumns,
  type Layout,
  rowsBelowHeader,
  type TableRecord,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import { readText } from '../source/source-text.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { FormOf } from './description-schema.ts'
import { readTableElement, rowsIn } from './table-element.ts'

type Element = DefaultTreeAdapterTypes.Element

/** About 80,000 rows of five cells. */
const htmlCharactersMax = 16 * 1024 * 1024
const elementsMax = 500_000
const depthMax = 256

export async function* readHtmlRows(
  file: SourceFile,
  form: FormOf<'html'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const tables = tablesOf(await parsePage(file, form))
  const titleRowsMax = form.title_rows_max ?? titleRowsMaxDefault
  const records = readTableElement(file.name, chosen(file.name, tables, layout, { ...form, titleRowsMax }))
  yield* rowsBelowHeader(file.name, asGenerator(records), layout, { titleRowsMax })
}

/** The numbered table, or the first with the columns, or the first, to be shown in the error. */
function chosen(
  name: string,
  tables: readonly Element[],
  layout: Layout<string>,
  { table, titleRowsMax }: FormOf<'html'> & { titleRowsMax: number },
): Element {
  const counted = tables.length === 1 ? 'one table' : `${tables.length} tables`
  if (table !== undefined) {
    const found = tables[table - 1]
    if (found === undefined) throw new Refusal(`"${name}": expected table ${table}, found ${counted}`)
    return found
  }
  const first = tables[0]
  if (first === undefined) throw new Refusal(`"${name}": expected a table, found a page without one`)
  const withColumns = tables.find(each =>
    rowsIn(each)
      .take(titleRowsMax + 1)
      .some(({ cells }) => hasColumns(cells, layout)),
  )
  return withColumns ?? first
}

async function parsePage(file: SourceFile, form: FormOf<'html'>): Promise<DefaultTreeAdapterTypes.Document> {
  let text = ''
  for await (const piece of readText(file, { encoding: form.encoding ?? 'utf-8', markup: 'html' })) {
    text += piece
    if (text.length > htmlCharactersMax) {
      throw new Refusal(`"${file.name}" has more than ${htmlCharactersMax} characters, the limit for HTML`)
    }
  }
  return parse(text, { treeAdapter: boundedTree(file.name), sourceCodeLocationInfo: true })
}

function boundedTree(name: string): TreeAdapter<DefaultTreeAdapterMap> {
  let elements = 0
  let depth = 0
  return {
    ...defaultTreeAdapter,
    createElement(...parts) {
      elements += 1
      if (elements > elementsMax) throw new Refusal(`"${name}" has more than ${elementsMax} elements`)
      return defaultTreeAdapter.createElement(...parts)
    },
    onItemPush() {
      depth += 1
      if (depth > depthMax) throw new Refusal(`"${name}" nests its elements deeper than ${depthMax}`)
    },
    onItemPop() {
      depth -= 1
    },
    setNodeSourceCodeLocation(node, location) {
      if (node.nodeName === 'tr') defaultTreeAdapter.setNodeSourceCodeLocation(node, location)
    },
    updateNodeSourceCodeLocation(node, location) {
      if (node.nodeName === 'tr') defaultTreeAdapter.updateNodeSourceCodeLocation(node, location)
    },
  }
}

function tablesOf(document: DefaultTreeAdapterTypes.Document): Element[] {
  const found: Element[] = []
  const pending: DefaultTreeAdapterTypes.ChildNode[] = document.childNodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('childNodes' in node)) continue
    if (node.nodeName === 'table') found.push(node as Element)
    for (const child of node.childNodes.toReversed()) pending.push(child)
  }
  return found
}

async function* asGenerator(records: Iterable<TableRecord>): AsyncGenerator<TableRecord, void> {
  yield* records
}
