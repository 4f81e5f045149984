/** Lists the items of a page: all elements of the kind and at the place of its rows. */

import { selectorsFor } from '@baize/tables/test/select-elements'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { type Form, type Item, plain, type Register } from './item.ts'
import { headersIn, isHeaderRow } from './rows-of-table.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** The elements of a row, where code reads the page. */
const rowsOfCode: Readonly<Record<string, string>> = { 'mga.licensees': 'mat-expansion-panel' }

const isElement = (node: Node): node is Element => 'tagName' in node
const parentOf = (node: Node) => ('parentNode' in node ? (node.parentNode as Node | null) : null)
const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
const attributeOf = (element: Element, name: string) => element.attrs.find(each => each.name === name)?.value

function textIn(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value
  if (['script', 'style', 'template', 'noscript'].includes(node.nodeName)) return ''
  return childrenOf(node).map(textIn).join('')
}

const matches = (selector: string | undefined) =>
  selector === undefined ? () => false : selectorsFor('a page').matches(selector)

const elementsIn = (node: Node): Element[] =>
  childrenOf(node).flatMap(child => (isElement(child) ? [child, ...elementsIn(child)] : []))

/** Cuts a text where the page does: at cells, paragraphs, items and line breaks. Links are texts, too. */
function textsIn(element: Element): string[] {
  const blocks = /^(?:td|th|p|div|li|tr|dd|dt|h\d|br|ul|ol)$/
  let texts = ''
  const walk = (node: Node) => {
    if (isElement(node)) {
      if (blocks.test(node.tagName)) texts += '\n'
      for (const name of ['href', 'alt', 'aria-label', 'title'])
        texts += `\n${attributeOf(node, name) ?? ''}\n`
    }
    if (node.nodeName === '#text') texts += textIn(node).replaceAll(/\s+/g, ' ')
    else for (const child of childrenOf(node)) walk(child)
    if (isElement(node) && blocks.test(node.tagName)) texts += '\n'
  }
  walk(element)
  return texts.split('\n')
}

/** Widens a selector to all elements of its kind at its place: without conditions and classes. */
function widened(selector: string): string {
  return withoutConditions(selector.replaceAll(/"[^"]*"/g, ''))
    .replaceAll(/\[[^\]]*\]/g, '')
    .split(',')
    .map(each =>
      each
        .trim()
        .replace(/([a-z]+\d?)[.#][\w.#-]+$/, (last, tag) => (/^(?:div|span)$/.test(tag) ? last : tag)),
    )
    .join()
}

/** Removes `:not(…)` and `:has(…)`. `:is(…)` becomes what it has inside. */
function withoutConditions(selector: string): string {
  const found = /:([\w-]+)\(/.exec(selector)
  if (found === null) return selector
  const start = found.index + found[0].length
  let depth = 1
  let end = start
  for (; depth > 0 && end < selector.length; end += 1)
    depth += selector[end] === '(' ? 1 : selector[end] === ')' ? -1 : 0
  const inside = found[1] === 'is' ? selector.slice(start, end - 1) : ''
  return withoutConditions(selector.slice(0, found.index) + inside + selector.slice(end))
}

const furniture = new Set(['nav', 'header', 'footer', 'aside', 'thead'])

function isWithin(node: Element, test: (around: Element) => boolean): boolean {
  for (let around = parentOf(node); around !== null; around = parentOf(around))
    if (isElement(around) && test(around)) return true
  return false
}

/**
 * Returns the outermost elements of the kind that rows have, but those of menus, headers, and those declared
 * as ignored.
 */
export function itemsOfPage(page: string, register: Register, form: Form): Item[] {
  const file = form.file?.format === 'html' ? form.file : undefined
  const rowsAt = file?.rows_at ?? rowsOfCode[register.key]
  const isRow = matches(rowsAt === undefined ? 'tr:has(td)' : widened(rowsAt))
  const isIgnored = matches(file?.ignore)
  const known = rowsAt === undefined ? headersIn(register, form) : () => 0
  const found = elementsIn(parse(page)).filter(
    element =>
      isRow(element) && !isIgnored(element) && !isWithin(element, each => furniture.has(each.tagName)),
  )
  const all = new Set(found)
  return found
    .filter(element => !isWithin(element, each => all.has(each)))
    .filter(element => !isHeaderRow(cellsOf(element), known))
    .map(element => ({
      texts: textsIn(element),
      ...(rowsAt === undefined && { list: beginningOf(element) }),
    }))
}

const cellsOf = (row: Element) =>
  childrenOf(row).flatMap(cell => (/^t[dh]$/.test(cell.nodeName) ? [plain(textIn(cell))] : []))

/** Returns the first filled row of the table that a row is in. */
function beginningOf(row: Element): string {
  let table: Node | null = row
  while (table !== null && table.nodeName !== 'table') table = parentOf(table)
  const rows = table === null ? [] : elementsIn(table).filter(({ tagName }) => tagName === 'tr')
  return (
    rows
      .map(each =>
        cellsOf(each)
          .filter(cell => cell !== '')
          .join(' | '),
      )
      .find(text => text !== '') ?? ''
  )
}
