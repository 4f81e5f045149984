/**
 * Applies CSS selectors to a page. Their work is limited, because a selector can visit the elements of a
 * page many times.
 */
import { compile, selectAll } from 'css-select'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { Refusal } from '../source/source-file.ts'
import type { Document, Element } from './html-page.ts'
import { cellText } from './table-element.ts'

type Node = DefaultTreeAdapterTypes.Node

/** Allows 20 visits of each element on a page of 500,000, which take about a second. */
const stepsMax = 10_000_000

export type Selectors = {
  all(selector: string, root: Document | Element): Element[]
  matches(selector: string): (element: Element) => boolean
}

/** Compiles selectors that the description's check has accepted. */
export function selectorsFor(fileName: string): Selectors {
  const options = { adapter: boundedAdapter(fileName) }
  return {
    all: (selector, root) => selectAll<Node, Element>(selector, root, options),
    matches: selector => compile<Node, Element>(selector, options),
  }
}

/** Returns null if the selector can be used. */
export function problemOfSelector(selector: string): string | null {
  try {
    selectorsFor('').matches(selector)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const isElement = (node: Node): node is Element => 'tagName' in node
const parentOf = (node: Node): Node | null => ('parentNode' in node ? (node.parentNode as Node | null) : null)
const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
const attributeOf = (element: Element, name: string) =>
  element.attrs.find(attribute => attribute.name === name)?.value

function boundedAdapter(fileName: string) {
  let steps = 0
  const count = <Value>(value: Value): Value => {
    steps += 1
    if (steps <= stepsMax) return value
    throw new Refusal(`"${fileName}": the selectors of this register visit more than ${stepsMax} elements`)
  }
  return {
    isTag: (node: Node): node is Element => count(isElement(node)),
    getAttributeValue: attributeOf,
    getChildren: (node: Node) => count(childrenOf(node)),
    getName: (element: Element) => defaultTreeAdapter.getTagName(element),
    getParent: (element: Element) => count(parentOf(element)),
    getSiblings: (node: Node) => {
      const parent = parentOf(node)
      return count(parent === null ? [node] : childrenOf(parent))
    },
    getText: (node: Node) => count(isElement(node) ? cellText(node) : ''),
    hasAttrib: (element: Element, name: string) => attributeOf(element, name) !== undefined,
    removeSubsets: (nodes: Node[]) => nodes,
  }
}
