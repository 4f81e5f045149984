/**
 * Reads a table element into rows of texts and links. A spanning cell is repeated in each of its rows and
 * columns.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { Refusal } from '../source/source-file.ts'
import { rowCharactersMax, type TableRecord } from '../source/source-table.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

const cellsPerRowMax = 1_000
const cellsPerTableMax = 2_000_000

type Cell = { text: string; links: string }
type Spanning = Cell & { rowsLeft: number }

export function* readTableElement(name: string, table: Element): Generator<TableRecord, void> {
  let cellsLeft = cellsPerTableMax
  let width = 0
  let number = 0
  for (const { line, cells, links = [], isTitle } of rowsIn(table)) {
    number += 1
    cellsLeft -= cells.length
    if (cells.length > cellsPerRowMax || cellsLeft < 0)
      throw new Refusal(
        `"${name}": the row at line ${line} exceeds the limit of ${cellsPerRowMax} cells a row ` +
          `or ${cellsPerTableMax} a table`,
      )
    if ([...cells, ...links].reduce((sum, cell) => sum + cell.length, 0) > rowCharactersMax)
      throw new Refusal(`"${name}": the row at line ${line} is longer than ${rowCharactersMax} characters`)
    if (number <= headRows) width = Math.max(width, cells.length)
    // Rows may omit trailing cells. A row longer than the header is reported as misshapen.
    yield { line, cells: padded(cells, width), links, ...(isTitle === true ? { isTitle } : {}) }
  }
}

/** Returns the rows without padding. A cell that is too long is cut just above the limit. */
export function* rowsIn(table: Element): Generator<TableRecord, void> {
  let spanning: (Spanning | undefined)[] = []
  let number = 0
  for (const row of rowsOf(table)) {
    number += 1
    const { cells, below } = layOut(row, spanning)
    spanning = below
    yield {
      line: row.sourceCodeLocation?.startLine ?? number,
      cells: cells.map(cell => cell.text),
      links: cells.map(cell => cell.links),
      ...(isTitle(row) ? { isTitle: true } : {}),
    }
  }
}

/** The header is among the first 100 rows, and sets the width of the table. */
const headRows = 100

const padded = (cells: string[], width: number) =>
  cells.length >= width ? cells : [...cells, ...new Array<string>(width - cells.length).fill('')]

function layOut(
  row: Element,
  spanning: readonly (Spanning | undefined)[],
): { cells: Cell[]; below: (Spanning | undefined)[] } {
  const cells: Cell[] = []
  const below: (Spanning | undefined)[] = []
  const put = (cell: Cell, rowsLeft: number) => {
    if (rowsLeft > 0) below[cells.length] = { ...cell, rowsLeft }
    cells.push(cell)
  }
  const putSpanning = () => {
    for (let above = spanning[cells.length]; above !== undefined; above = spanning[cells.length])
      put({ text: above.text, links: above.links }, above.rowsLeft - 1)
  }
  for (const cell of cellsOf(row)) {
    putSpanning()
    const content = { text: cellText(cell), links: attributesIn(cell, 'href').join('\n') }
    const rowsLeft = spanOf(cell, 'rowspan') - 1
    for (let column = spanOf(cell, 'colspan'); column > 0; column -= 1) {
      put(content, rowsLeft)
      if (cells.length > cellsPerRowMax) return { cells, below }
    }
  }
  putSpanning()
  return { cells, below }
}

function spanOf(cell: Element, name: string): number {
  const written = cell.attrs.find(attribute => attribute.name === name)?.value ?? '1'
  const span = /^\d{1,5}$/.test(written.trim()) ? Number(written) : 1
  return Math.max(1, span)
}

const elementsOf = (parent: Element, names: readonly string[]): Element[] =>
  parent.childNodes.filter((child): child is Element => names.includes(child.nodeName))

const cellsOf = (row: Element) => elementsOf(row, ['td', 'th'])

function rowsOf(table: Element): Element[] {
  return elementsOf(table, ['thead', 'tbody', 'tfoot', 'tr']).flatMap(child =>
    child.nodeName === 'tr' ? [child] : elementsOf(child, ['tr']),
  )
}

/** Detects a row of one cell across several columns, which is a title, a note or a total. */
function isTitle(row: Element): boolean {
  const [cell, ...others] = cellsOf(row)
  return cell !== undefined && others.length === 0 && spanOf(cell, 'colspan') > 1
}

const lineBreaking = new Set(['br', 'p', 'div', 'li', 'tr', 'ul', 'ol', 'dd', 'dt', 'h1', 'h2', 'h3', 'h4'])
const unread = new Set(['script', 'style', 'template', 'noscript'])

/** Returns the text of an element with collapsed blanks, one line for each paragraph, item or line break. */
export function cellText(cell: Element): string {
  let text = ''
  const pending: (Node | '\n')[] = cell.childNodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (text.length > rowCharactersMax) break
    if (node === '\n') text += node
    else if (node.nodeName === '#text')
      text += (node as DefaultTreeAdapterTypes.TextNode).value.replaceAll(/\s+/g, ' ')
    else if ('childNodes' in node && !unread.has(node.nodeName)) {
      const breaks = lineBreaking.has(node.nodeName)
      if (breaks) {
        text += '\n'
        pending.push('\n')
      }
      for (const child of node.childNodes.toReversed()) pending.push(child)
    }
  }
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')
}

const mailGateway = 'safelinks.protection.outlook.com'

/** Removes the gateway of a mail program from a link that was pasted from a mail. */
function withoutGateway(href: string): string {
  if (!href.includes(mailGateway)) return href
  const target = URL.parse(href)
  return (target?.hostname.endsWith(mailGateway) && target.searchParams.get('url')) || href
}

/** Returns the values of an attribute of the element and its descendants, in order. */
export function attributesIn(element: Element, name: string): string[] {
  const values: string[] = []
  let characters = 0
  const pending: Node[] = [element]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (characters > rowCharactersMax || unread.has(node.nodeName)) continue
    const value = 'attrs' in node ? node.attrs.find(attribute => attribute.name === name)?.value.trim() : ''
    if (value !== undefined && value !== '') {
      values.push(name === 'href' ? withoutGateway(value) : value)
      characters += value.length
    }
    if ('childNodes' in node) pending.push(...node.childNodes.toReversed())
  }
  return values
}
