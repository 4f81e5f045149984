import { attributeOf, childrenOf, type Element, parentOf, textOf, within } from './dom.ts'
import { isMoreButton } from './words.ts'

const headingCharactersMax = 60

/** Finds the heading above a group of tiles: the nearest text before it that no other group precedes. */
export function findHeading(
  group: Element,
  hasTiles: (element: Element) => boolean,
): Element | string | null {
  for (let at: Element | null = group; at !== null; at = parentOf(at)) {
    const label = attributeOf(at, 'aria-label')
    if (at !== group && label !== null && label !== '' && ['section', 'div', 'ul'].includes(at.tagName))
      return label
    if (at === group && label !== null && label !== '' && attributeOf(at, 'role') !== 'button') return label
    const siblings = childrenOf(parentOf(at) ?? at)
    const before = siblings.slice(0, Math.max(0, siblings.indexOf(at))).reverse()
    for (const sibling of before) {
      if (hasTiles(sibling)) return null
      const found = headingIn(sibling)
      if (found !== null) return found
    }
    if (at.tagName === 'body') return null
  }
  return null
}

function headingIn(element: Element): Element | null {
  for (const each of within(element)) {
    const isHeading = /^h[1-6]$/.test(each.tagName) || attributeOf(each, 'role') === 'heading'
    if (isHeading && isShort(textOf(each))) return each
  }
  if (['a', 'button', 'nav', 'script', 'ul', 'form', 'header', 'table', 'img'].includes(element.tagName))
    return null
  for (const each of within(element)) if (['a', 'button', 'img', 'input'].includes(each.tagName)) return null
  return isShort(textOf(element)) ? element : null
}

const isShort = (text: string) => text !== '' && text.length <= headingCharactersMax

/** Checks for a button near the heading or the tiles that shows further games. */
export function hasMoreButton(group: Element): boolean {
  let at: Element | null = group
  for (let steps = 0; at !== null && steps < 3 && at.tagName !== 'body'; steps++, at = parentOf(at)) {
    const siblings = childrenOf(parentOf(at) ?? at).filter(each => each !== at)
    for (const sibling of siblings)
      if (['a', 'button'].includes(sibling.tagName) && isMoreButton(textOf(sibling))) return true
  }
  return false
}
