/** Elements of a visible DOM, with their place on the page. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node
export type Box = { x: number; y: number; width: number; height: number }

export const parseDom = (html: string): Element => {
  const root = parse(html).childNodes.find(isElement)
  if (root === undefined) throw new Error('a parsed document has a root')
  return root
}

const isElement = (node: Node): node is Element => 'tagName' in node
export const childrenOf = (element: Element): Element[] => element.childNodes.filter(isElement)
export const attributeOf = (element: Element, name: string): string | null =>
  element.attrs.find(each => each.name === name)?.value.trim() ?? null

export function parentOf(element: Element): Element | null {
  const parent = element.parentNode
  return parent !== null && isElement(parent) ? parent : null
}

/** Yields the element and all within it in the order of the page. */
export function* within(element: Element): Generator<Element> {
  const open = [element]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    open.push(...childrenOf(next).reverse())
  }
}

export function textOf(element: Element): string {
  const parts: string[] = []
  for (const each of within(element)) {
    if (each.tagName === 'script') continue
    for (const child of each.childNodes)
      if (child.nodeName === '#text' && 'value' in child) parts.push(child.value)
  }
  return oneLine(parts.join(' '))
}

export const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim()

export function boxOf(element: Element): Box | null {
  const [x, y, width, height] = (attributeOf(element, 'data-box') ?? '').split(' ').map(Number)
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null
  return { x, y, width, height }
}

/** Names the element as pages repeat it: its tag, and its first class without digits, which count members. */
export function shapeOf(element: Element): string {
  const [first = ''] = (attributeOf(element, 'class') ?? '').split(/\s+/)
  return `${element.tagName}.${first.replaceAll(/\d+/g, '')}`
}
