/** Finds repeated elements with a picture: the tiles of a page, in order. */
import { attributeOf, boxOf, childrenOf, type Element, parentOf, shapeOf, within } from './dom.ts'

const climbMax = 6
/** A picture below this size is an icon or a logo in a tile. */
const pictureSizeMin = 48
const tilesMax = 3_000

/** Returns tiles in the order of the page. None stands within another. */
export function findTiles(root: Element): Element[] {
  const tiles = new Set<Element>()
  for (const element of within(root)) {
    if (tiles.size === tilesMax) break
    if (!isPicture(element)) continue
    const tile = tileOf(element)
    if (tile !== null) tiles.add(tile)
  }
  return [...tiles].filter(tile => !hasAncestorIn(tile, tiles))
}

function isPicture(element: Element): boolean {
  const isLabelled = attributeOf(element, 'aria-label') !== null || attributeOf(element, 'data-game') !== null
  const isButton = element.tagName === 'button' || attributeOf(element, 'role') === 'button'
  const hasPicture =
    ['img', 'picture', 'svg', 'canvas', 'video'].includes(element.tagName) ||
    attributeOf(element, 'style')?.includes('background-image') === true
  if (!hasPicture && !(isLabelled && isButton)) return false
  const box = boxOf(element)
  return box === null || (box.width >= pictureSizeMin && box.height >= pictureSizeMin)
}

/** Climbs to the lowest ancestor, or the picture itself, whose siblings have its shape and a picture. */
function tileOf(picture: Element): Element | null {
  let at: Element | null = picture
  for (let steps = 0; at !== null && steps <= climbMax; steps++) {
    const parent = parentOf(at)
    if (parent === null || parent.tagName === 'html') return null
    if (isRepeated(at, parent)) return at
    at = parent
  }
  return null
}

const repeatedSiblings = new WeakMap<Element, Map<string, number>>()

function isRepeated(element: Element, parent: Element): boolean {
  let shapes = repeatedSiblings.get(parent)
  if (shapes === undefined) {
    shapes = new Map()
    for (const child of childrenOf(parent))
      if (hasPictureWithin(child)) shapes.set(shapeOf(child), (shapes.get(shapeOf(child)) ?? 0) + 1)
    repeatedSiblings.set(parent, shapes)
  }
  return (shapes.get(shapeOf(element)) ?? 0) > 1
}

function hasPictureWithin(element: Element): boolean {
  for (const each of within(element)) if (isPicture(each)) return true
  return false
}

function hasAncestorIn(element: Element, others: ReadonlySet<Element>): boolean {
  for (let at = parentOf(element); at !== null; at = parentOf(at)) if (others.has(at)) return true
  return false
}
