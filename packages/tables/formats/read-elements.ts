/**
 * Reads rows of a page without a table: cards, lists and accordions. A row is an element; its columns are
 * selectors.
 */

import type { Columns } from '../description/table-schema.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import { rowCharactersMax, type TableRow } from '../source/source-table.ts'
import type { TextEncoding } from '../source/source-text.ts'
import { besideRowsNotice } from './beside-rows.ts'
import { type Document, type Element, elementsOf, parseHtmlFile, refuseOpenEnd } from './html-page.ts'
import { compileParts, findParts } from './line-pattern.ts'
import { type Selectors, selectorsFor } from './page-selectors.ts'
import { attributesIn, cellText } from './table-element.ts'

type ElementsForm = {
  encoding: TextEncoding
  rowsAt: string
  ignore?: string | undefined
  count?: string | undefined
  /** Receives the total that the page states, if `count` is given. */
  onCount?: (printed: number | null) => void
}

export async function* readElements(
  file: SourceFile,
  { encoding, rowsAt, ignore, count, onCount }: ElementsForm,
  columns: Columns,
): AsyncGenerator<TableRow<string>, void> {
  const document = await parseHtmlFile(file, encoding, () => true)
  const selectors = selectorsFor(file.name)
  const isIgnored = ignore === undefined ? () => false : selectors.matches(ignore)
  const rows = new Set(selectors.all(rowsAt, document).filter(element => !isIgnored(element)))
  if (rows.size === 0) throw new Refusal(`"${file.name}": expected elements ${rowsAt}, found none`)
  const readers = Object.entries(columns).map(([name, column]) => new ColumnReader(name, column, selectors))
  refuseCut(file.name, [...rows].at(-1))
  if (count !== undefined) onCount?.(printedCount(document, count))
  let number = 0
  for (const element of elementsOf(document)) {
    for (const reader of readers) reader.pass(element)
    if (!rows.has(element)) continue
    number += 1
    const cells = Object.fromEntries(readers.map(reader => [reader.name, reader.cellOf(element)]))
    const line = element.sourceCodeLocation?.startLine ?? number
    if (Object.values(cells).reduce((sum, cell) => sum + cell.length, 0) > rowCharactersMax)
      throw new Refusal(
        `"${file.name}": the row at line ${line} is longer than ${rowCharactersMax} characters`,
      )
    yield { kind: 'row', line, cells }
  }
  const missing = readers.filter(reader => reader.isMissing).map(reader => reader.selector)
  if (missing.length > 0)
    throw new Refusal(`"${file.name}": expected [${missing.join(' | ')}] in ${rowsAt}, found none`)
  for (const element of besideRows(rows))
    if (!isIgnored(element)) yield { kind: 'notice', notice: besideRowsNotice, published: cellText(element) }
}

/**
 * Returns the elements beside rows that have the name of a row, a text and no row inside. They may be rows in
 * another layout.
 */
function* besideRows(rows: ReadonlySet<Element>): Generator<Element, void> {
  const around = new Set<unknown>()
  for (const row of rows)
    for (let node = row.parentNode; node !== null && !around.has(node); node = parentOf(node))
      around.add(node)
  const names = Map.groupBy(rows, row => row.parentNode)
  for (const [parent, own] of names) {
    const tags = new Set(own.map(row => row.tagName))
    for (const child of parent?.childNodes ?? [])
      if ('tagName' in child && tags.has(child.tagName) && !rows.has(child) && !around.has(child))
        if (cellText(child) !== '') yield child
  }
}

const parentOf = (node: NonNullable<Element['parentNode']>) => ('parentNode' in node ? node.parentNode : null)

/** Returns the greatest number that the pattern finds in the page's text; null if it finds none. */
function printedCount(document: Document, pattern: string): number | null {
  const expression = compileParts(pattern)
  const body = elementsOf(document).find(({ tagName }) => tagName === 'body')
  if (!expression.ok || body === undefined) return null
  const found = findParts(expression.value, [cellText(body)])
  const numbers = (found.ok ? (found.value[0] ?? []) : []).map(text => Number(text.replaceAll(/[^\d]/g, '')))
  return numbers.length === 0 ? null : Math.max(...numbers)
}

class ColumnReader {
  readonly name: string
  readonly #column: Columns[string]
  readonly #selectors: Selectors
  readonly #parts: { selector: string; attribute: string }[]
  readonly #isHeading: ((element: Element) => boolean) | null
  readonly #isAround: ((element: Element) => boolean) | null
  #heading: Element | null = null
  #seen = false

  constructor(name: string, column: Columns[string], selectors: Selectors) {
    this.name = name
    this.#column = column
    this.#selectors = selectors
    this.#parts = column.headers.map(splitAttribute)
    const { above, within } = column
    this.#isHeading = above === true ? selectors.matches(this.#parts.map(part => part.selector).join()) : null
    this.#isAround = within === undefined ? null : selectors.matches(within)
  }

  get selector(): string {
    return this.#column.headers.join()
  }

  get isMissing(): boolean {
    return this.#column.optional !== true && !this.#seen
  }

  /**
   * Stores the last heading. It is called for each element in page order, before the cell of a row is read.
   */
  pass(element: Element): void {
    if (this.#isHeading?.(element) === true) this.#heading = element
  }

  cellOf(row: Element): string {
    const cell = this.#read(row)
    if (cell !== '') this.#seen = true
    return cell
  }

  #read(row: Element): string {
    if (this.#isHeading !== null) return this.#heading === null ? '' : cellText(this.#heading)
    const root = this.#isAround === null ? row : closest(row, this.#isAround)
    if (root === null) return ''
    for (const { selector, attribute } of this.#parts) {
      const found = selector === '.' ? [root] : this.#selectors.all(selector, root)
      const values = found.flatMap(element =>
        attribute === '' ? [cellText(element)] : attributesIn(element, attribute),
      )
      const cell = [...new Set(values)].filter(value => value !== '').join('\n')
      if (cell !== '') return cell
    }
    return ''
  }
}

/** Elements whose end tag a complete page may omit. */
const omittable = new Set('html body li dt dd p thead tbody tfoot tr td th'.split(' '))

/** Refuses a page that was cut off: the list with its last row has no end tag. */
function refuseCut(name: string, row: Element | undefined): void {
  const around: Element[] = []
  for (let node = row?.parentNode; node != null && 'tagName' in node; node = node.parentNode)
    around.push(node)
  const list = around.find(({ tagName }) => !omittable.has(tagName))
  const table = around.find(({ tagName }) => tagName === 'table')
  for (const each of [around[0], list, table]) if (each !== undefined) refuseOpenEnd(name, each)
}

function closest(row: Element, isAround: (element: Element) => boolean): Element | null {
  for (let node: Element['parentNode'] = row; node !== null && 'tagName' in node; node = node.parentNode)
    if (isAround(node)) return node
  return null
}

/**
 * Splits `a.play@href` into the selector `a.play` and the attribute `href`. The selector `.` means the row
 * itself.
 */
export function splitAttribute(header: string): { selector: string; attribute: string } {
  const at = /@([a-z][\w-]*)$/.exec(header)
  if (at === null) return { selector: header, attribute: '' }
  return { selector: header.slice(0, at.index) || '.', attribute: at[1] ?? '' }
}
