/** Reads one DOM of a lobby: its sections with their games. */
import { attributeOf, boxOf, type Element, parentOf, parseDom, shapeOf, textOf, within } from './dom.ts'
import { findHeading, hasMoreButton } from './find-heading.ts'
import { findTiles } from './find-tiles.ts'
import { isHeroRow } from './hero.ts'
import { readTiles, type TileReading } from './read-tiles.ts'
import { isOther, kindOf } from './words.ts'

export type StepSection = { name: string | null; isHero: boolean; hasMore: boolean; games: TileReading[] }

const groupMin = 6
/** Smaller groups count beside a group of at least `groupMin` whose tiles have their shape. */
const smallGroupMin = 2
/** A hero has few slides. Each must lead to a game, because most banners are promotions. */
const heroSlidesMin = 3
const suppliedMin = 0.2

type Group = { shape: string; parents: Set<Element>; heading: Element | string | null; tiles: Element[] }

export function readStep(html: string, viewportHeight: number): StepSection[] {
  const root = parseDom(html)
  const view = { pageWidth: pageWidthOf(root), viewportHeight }
  const groups = groupTiles(findTiles(root))
  // Tiles of one shape are read together, because small sections alone do not show which place is the title.
  const byShape = Map.groupBy(groups, ({ shape }) => shape)
  const readings = new Map<Element, TileReading>()
  for (const sharing of byShape.values()) {
    const tiles = sharing.flatMap(group => group.tiles)
    const mayBeHero = tiles.length >= heroSlidesMin && isHeroRow(tiles.map(boxOf), view)
    if (tiles.length < groupMin && !mayBeHero) continue
    for (const [index, reading] of readTiles(tiles).entries())
      if (reading !== null) readings.set(tiles[index] as Element, reading)
  }
  return groups.flatMap(group => {
    const games = group.tiles.flatMap(tile => readings.get(tile) ?? [])
    const name = nameOf(group.heading)
    if (games.length < smallGroupMin || !areGames(games, name)) return []
    const isHero = ['other', 'featured'].includes(kindOf(name)) && isHeroRow(group.tiles.map(boxOf), view)
    if (games.length < groupMin && isHero && games.some(({ isGame }) => isGame !== true)) return []
    return [{ name, isHero, hasMore: [...group.parents].some(hasMoreButton), games }]
  })
}

/** Returns the width of the page; infinite if the DOM was captured without boxes, so that no tile is large. */
function pageWidthOf(root: Element): number {
  for (const element of within(root))
    if (element.tagName === 'body') return boxOf(element)?.width ?? Number.POSITIVE_INFINITY
  return Number.POSITIVE_INFINITY
}

const nameOf = (heading: Group['heading']): string | null =>
  heading === null || typeof heading === 'string' ? heading : textOf(heading)

/** Groups tiles of one shape under one heading, in the order of the page. */
function groupTiles(tiles: readonly Element[]): Group[] {
  const tileAncestors = new Set<Element>()
  for (const tile of tiles)
    for (let at: Element | null = tile; at !== null && !tileAncestors.has(at); at = parentOf(at))
      tileAncestors.add(at)
  const groups: Group[] = []
  const headings = new Map<Element, Group['heading']>()
  for (const tile of tiles) {
    const parent = parentOf(tile) as Element
    const shape = `${shapeOf(parent)}>${shapeOf(tile)}`
    if (!headings.has(parent))
      headings.set(
        parent,
        findHeading(parent, each => tileAncestors.has(each)),
      )
    const heading = headings.get(parent) ?? null
    const last = groups.at(-1)
    // Rows of a virtual list have no heading of their own: they continue the section before them.
    const continues =
      last !== undefined && last.shape === shape && (heading === null || heading === last.heading)
    if (!continues) groups.push({ shape, parents: new Set([parent]), heading, tiles: [tile] })
    else {
      last.parents.add(parent)
      last.tiles.push(tile)
    }
  }
  return groups.map(group => ({ ...group, tiles: inReadingOrder(group.tiles) }))
}

/** Recycled rows of a virtual list stand in another order than they show. */
function inReadingOrder(tiles: readonly Element[]): Element[] {
  const rowOf = (tile: Element) => boxOf(tile)?.y ?? 0
  const isSorted = tiles.every(
    (tile, index) => index === 0 || rowOf(tile) >= rowOf(tiles[index - 1] as Element) - 20,
  )
  return isSorted ? [...tiles] : tiles.toSorted((one, other) => rowOf(one) - rowOf(other))
}

/** Distinguishes games from goods, articles, providers and other tiles. */
function areGames(tiles: readonly TileReading[], name: string | null): boolean {
  if (name !== null && isOther(name)) return false
  const share = (is: (tile: TileReading) => boolean) => tiles.filter(is).length / tiles.length
  if (share(({ isGame }) => isGame === false) > 0.3) return false
  if (share(({ found }) => found.supplierSlug !== null && found.match !== 'none') >= suppliedMin) return true
  return share(({ isGame }) => isGame === true) >= 0.5 || ['category', 'live'].includes(kindOf(name))
}

/** Checks for a visible field of a password. */
export function hasSignIn(html: string): boolean {
  for (const element of within(parseDom(html)))
    if (element.tagName === 'input' && attributeOf(element, 'type') === 'password') return true
  return false
}
