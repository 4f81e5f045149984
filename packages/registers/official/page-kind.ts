/** Names the kind of page that came in place of a file, so that an operator can react. */
import { boundedTree } from '@baize/tables'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

const titleCharactersMax = 80

/** Matches marks of services that check whether a visitor is a person. */
const captchaMarks =
  /captcha|cf-challenge|challenge-platform|cf_chl_|turnstile|_incapsula_|datadome|px-captcha|just a moment\.\.\./i

export type ReadPage = {
  elements: Element[]
  title: string
  asksForLogin: boolean
  checksVisitor: boolean
}

/** Returns the elements in document order. Throws a Refusal for a page with too many. */
export function readOfficialPage(html: string): ReadPage {
  const elements = elementsAmong(parse(html, { treeAdapter: boundedTree('the page') }).childNodes)
  const title = elements.find(each => each.tagName === 'title')
  const asksForLogin = elements.some(
    each => each.tagName === 'input' && attribute(each, 'type')?.toLowerCase() === 'password',
  )
  return {
    elements,
    title: title === undefined ? '' : textOf(title).slice(0, titleCharactersMax),
    asksForLogin,
    checksVisitor: captchaMarks.test(html),
  }
}

/** Returns why a page cannot be used, or null if it is neither a login nor a check of the visitor. */
export function obstacleOf({ asksForLogin, checksVisitor, title }: ReadPage): string | null {
  const shown = title === '' ? '' : ` ("${title}")`
  if (checksVisitor)
    return (
      `a page that checks whether its visitor is a person${shown}. The site refuses programs: open it in a ` +
      'browser, and load the file with "register sync" until it answers again'
    )
  if (asksForLogin)
    return (
      `a page that asks for a login${shown}. The file may have moved: look for its public address, and ` +
      'give ' +
      'it with "register watch --url"'
    )
  return null
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find(each => each.name === name)?.value
}

/** Uses a loop, because a page can be nested as deeply as it is long. */
export function elementsAmong(nodes: readonly Node[]): Element[] {
  const found: Element[] = []
  const waiting = nodes.toReversed()
  while (waiting.length > 0) {
    const node = waiting.pop() as Node
    if (!('tagName' in node)) continue
    found.push(node)
    for (let at = node.childNodes.length - 1; at >= 0; at -= 1) waiting.push(node.childNodes[at] as Node)
  }
  return found
}

export function textOf(element: Element): string {
  const texts: string[] = []
  const waiting: Node[] = [...element.childNodes].reverse()
  while (waiting.length > 0) {
    const node = waiting.pop() as Node
    if (node.nodeName === '#text') texts.push((node as DefaultTreeAdapterTypes.TextNode).value)
    else if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) waiting.push(node.childNodes[at] as Node)
  }
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim()
}
