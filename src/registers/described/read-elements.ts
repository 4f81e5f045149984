/** Rows of a page that is no table: cards, lists and accordions. A row is an element, its columns selectors. */
import { rowCharactersMax, type TableRow } from '../source/source-table.ts'
import type { Encoding } from '../source/source-text.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { Columns } from './description-schema.ts'
import { type Element, elementsOf, parsePage, refuseOpenEnd } from './html-page.ts'
import { type Selectors, selectorsFor } from './page-selectors.ts'
import { attributesIn, textOf } from './table-element.ts'

type ElementsForm = { encoding: Encoding; rowsAt: string }

export async function* readElements(
  file: SourceFile,
  { encoding, rowsAt }: ElementsForm,
  columns: Columns,
): AsyncGenerator<TableRow<string>, void> {
  const document = await parsePage(file, encoding, () => true)
  const selectors = selectorsFor(file.name)
  const rows = new Set(selectors.all(rowsAt, document))
  if (rows.size === 0) throw new Refusal(`"${file.name}": expected elements ${rowsAt}, found none`)
  const readers = Object.entries(columns).map(([name, column]) => new ColumnReader(name, column, selectors))
  const last = [...rows].at(-1)?.parentNode
  if (last != null && 'tagName' in last) refuseOpenEnd(file.name, last)
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

  /** Called for each element of the page, in order, before the cell of a row is read. */
  pass(element: Element): void {
    if (this.#isHeading?.(element) === true) this.#heading = element
  }

  cellOf(row: Element): string {
    const cell = this.#read(row)
    if (cell !== '') this.#seen = true
    return cell
  }

  #read(row: Element): string {
    if (this.#isHeading !== null) return this.#heading === null ? '' : textOf(this.#heading)
    const root = this.#isAround === null ? row : closest(row, this.#isAround)
    if (root === null) return ''
    for (const { selector, attribute } of this.#parts) {
      const found = selector === '.' ? [root] : this.#selectors.all(selector, root)
      const values = found.flatMap(element =>
        attribute === '' ? [textOf(element)] : attributesIn(element, attribute),
      )
      const cell = [...new Set(values)].filter(value => value !== '').join('\n')
      if (cell !== '') return cell
    }
    return ''
  }
}

function closest(row: Element, isAround: (element: Element) => boolean): Element | null {
  for (let node: Element['parentNode'] = row; node !== null && 'tagName' in node; node = node.parentNode)
    if (isAround(node)) return node
  return null
}

/** `a.play@href` → the attribute `href` of `a.play`; `.` is the row itself. */
export function splitAttribute(header: string): { selector: string; attribute: string } {
  const at = /@([a-z][\w-]*)$/.exec(header)
  if (at === null) return { selector: header, attribute: '' }
  return { selector: header.slice(0, at.index) || '.', attribute: at[1] ?? '' }
}
