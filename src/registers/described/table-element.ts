/** Reads a table element into rows of texts. A spanning cell is repeated in each row and column. */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { rowCharactersMax, type TableRecord } from '../source/source-table.ts'
import { Refusal } from '../stream.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

const cellsPerRowMax = 1_000
const cellsPerTableMax = 2_000_000

type Spanning = { text: string; rowsLeft: number }

export function* readTableElement(name: string, table: Element): Generator<TableRecord, void> {
  let cellsLeft = cellsPerTableMax
  let width = 0
  let number = 0
  for (const { line, cells } of rowsIn(table)) {
    number += 1
    cellsLeft -= cells.length
    if (cells.length > cellsPerRowMax || cellsLeft < 0)
      throw new Refusal(
        `"${name}": the row at line ${line} exceeds the limit of ${cellsPerRowMax} cells a row ` +
          `or ${cellsPerTableMax} a table`,
      )
    if (cells.reduce((sum, cell) => sum + cell.length, 0) > rowCharactersMax)
      throw new Refusal(`"${name}": the row at line ${line} is longer than ${rowCharactersMax} characters`)
    if (number <= headRows) width = Math.max(width, cells.length)
    // Trailing cells may be omitted; a row longer than the header is reported as misshapen.
    yield { line, cells: padded(cells, width) }
  }
}

/** The rows without padding; a too long cell is cut just above the limit. */
export function* rowsIn(table: Element): Generator<TableRecord, void> {
  let spanning: (Spanning | undefined)[] = []
  let number = 0
  for (const row of rowsOf(table)) {
    number += 1
    const { cells, below } = layOut(row, spanning)
    spanning = below
    yield { line: row.sourceCodeLocation?.startLine ?? number, cells }
  }
}

/** The header is among these, and sets the width of the table. */
const headRows = 100

const padded = (cells: string[], width: number) =>
  cells.length >= width ? cells : [...cells, ...new Array<string>(width - cells.length).fill('')]

function layOut(
  row: Element,
  spanning: readonly (Spanning | undefined)[],
): { cells: string[]; below: (Spanning | undefined)[] } {
  const cells: string[] = []
  const below: (Spanning | undefined)[] = []
  const put = (text: string, rowsLeft: number) => {
    if (rowsLeft > 0) below[cells.length] = { text, rowsLeft }
    cells.push(text)
  }
  const putSpanning = () => {
    for (let above = spanning[cells.length]; above !== undefined; above = spanning[cells.length])
      put(above.text, above.rowsLeft - 1)
  }
  for (const cell of cellsOf(row)) {
    putSpanning()
    const text = textOf(cell)
    const rowsLeft = spanOf(cell, 'rowspan') - 1
    for (let column = spanOf(cell, 'colspan'); column > 0; column -= 1) {
      put(text, rowsLeft)
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

const lineBreaking = new Set(['br', 'p', 'div', 'li', 'tr', 'ul', 'ol', 'dd', 'dt', 'h1', 'h2', 'h3', 'h4'])
const unread = new Set(['script', 'style', 'template', 'noscript'])

/** The text of a cell: blanks collapsed, a line per paragraph, item or line break. */
function textOf(cell: Element): string {
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
