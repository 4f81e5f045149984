/** Reads title and supplier of tiles of one shape by comparing what stands in the same place of each. */
import {
  attributeOf,
  type Box,
  boxOf,
  childrenOf,
  type Element,
  oneLine,
  shapeOf,
  textOf,
  within,
} from './dom.ts'
import { fold } from './fold.ts'
import {
  type FoundSupplier,
  findStudio,
  findSupplier,
  findSupplierOfUrl,
  noSupplier,
  readShown,
} from './suppliers.ts'
import { splitLabel } from './tile-label.ts'
import { isMoreButton, judgePath, verbs } from './words.ts'

export type TileReading = {
  title: string
  found: FoundSupplier
  box: Box | null
  /** Is true for a link to games or an identifier of a game, false for one to something else. */
  isGame: boolean | null
}

type Slot = { path: string; kind: 'heading' | 'text' | 'alt' | 'title' | 'label' | 'data'; text: string }

const titleCharactersMax = 80
const titleScoreMin = 0.15
/** Texts that people read come before those that machines read. */
const kindWeights: Record<Slot['kind'], number> = {
  heading: 1,
  text: 0.97,
  alt: 0.95,
  title: 0.93,
  label: 0.9,
  data: 0.8,
}
const supplierAttribute = /provider|supplier|studio|vendor|manufacturer|producer|brand/i
const titleAttribute = /^data-(?:game-?)?(?:title|name)$/i
const gameAttribute = /^data-(?:game|slot|table|launch)/i
const amount = /[€$£¥₹₺₽₴]|\d[\d.,  ]*\s?(?:kr|zł|kč|lei|eur|usd|btc)\b/iu

export function readTiles(tiles: readonly Element[]): (TileReading | null)[] {
  const slots = tiles.map(tile => [...slotsOf(tile)].filter(({ text }) => isName(text)))
  const counts = countPlaces(slots, tiles)
  const supplierPlace = bestOf(counts, ({ suppliers, filled }) => (suppliers / filled >= 0.4 ? suppliers : 0))
  const scored = [...counts]
    .filter(([path]) => path !== supplierPlace)
    .map(([path, place]) => ({ path, score: scoreOfTitle(place, tiles.length) }))
    .toSorted((one, other) => other.score - one.score)
  // Titles that only their number distinguishes, such as those of tables, count where nothing else does.
  const sure = scored.filter(({ score }) => score > titleScoreMin)
  const titlePlaces = (sure.length > 0 ? sure : scored.slice(0, 1)).map(({ path }) => path)
  return tiles.map((tile, index) => readTile(tile, slots[index] ?? [], { titlePlaces, supplierPlace }))
}

/** A place in tiles: how many fill it, with how many different texts, and how many of these are suppliers. */
type Place = {
  kind: Slot['kind']
  filled: number
  suppliers: number
  texts: Set<string>
  shapes: Set<string>
}

function countPlaces(slots: readonly Slot[][], tiles: readonly Element[]): Map<string, Place> {
  const counts = new Map<string, Place>()
  const seen = new Set<string>()
  for (const [index, ofTile] of slots.entries()) {
    // Clones of a tile must not make its texts look like badges, which many tiles share.
    const target = linkOf(tiles[index] as Element)
    if (target !== null && seen.has(target)) continue
    if (target !== null) seen.add(target)
    for (const { path, kind, text } of ofTile) {
      const place = counts.get(path) ?? { kind, filled: 0, suppliers: 0, texts: new Set(), shapes: new Set() }
      place.filled += 1
      if (findSupplier(text) !== null || findSupplier(readShown(text).supplier ?? '') !== null)
        place.suppliers += 1
      place.texts.add(fold(text))
      place.shapes.add(fold(text).replaceAll(/\d+/g, '#'))
      counts.set(path, place)
    }
  }
  return counts
}

function scoreOfTitle({ kind, filled, suppliers, texts, shapes }: Place, tiles: number): number {
  const coverage = Math.min(1, filled / tiles)
  const distinct = Math.max(shapes.size / filled, 0.6 * (texts.size / filled) * (shapes.size > 1 ? 1 : 0.2))
  return coverage * distinct * (1 - suppliers / filled) * kindWeights[kind]
}

function bestOf(counts: ReadonlyMap<string, Place>, score: (place: Place) => number): string | null {
  let best: string | null = null
  let high = 0
  for (const [path, place] of counts) if (score(place) > high) [best, high] = [path, score(place)]
  return best
}

type Places = { titlePlaces: readonly string[]; supplierPlace: string | null }

function readTile(
  tile: Element,
  slots: readonly Slot[],
  { titlePlaces, supplierPlace }: Places,
): TileReading | null {
  const at = (path: string | null) => slots.find(each => each.path === path)
  const slot = titlePlaces.map(at).find(each => each !== undefined && findSupplier(each.text) === null)
  if (slot === undefined) return null
  const { title, supplier } = splitLabel(slot.text)
  if (title === '' || title.length > titleCharactersMax) return null
  const shown = at(supplierPlace)?.text ?? supplier ?? labelledSupplier(slots)
  return { title, found: supplierOf(tile, title, shown), box: boxOf(tile), isGame: isGameTile(tile) }
}

/** A label may name the supplier where the title stands elsewhere. */
const labelledSupplier = (slots: readonly Slot[]): string | null =>
  slots.map(({ text }) => splitLabel(text).supplier).find(each => each !== null) ??
  slots.find(({ text }) => findSupplier(text) !== null)?.text ??
  null

function supplierOf(tile: Element, title: string, shown: string | null): FoundSupplier {
  if (shown !== null) return readShown(shown)
  for (const element of within(tile)) {
    for (const { name, value } of element.attrs) {
      const isUrl = name === 'src' || name === 'href' || name === 'data-src'
      const found = isUrl
        ? findSupplierOfUrl(value)
        : supplierAttribute.test(name) || (name === 'style' && value.includes('url('))
          ? (findSupplier(value) ?? findSupplierOfUrl(/url\(["']?([^"')]+)/.exec(value)?.[1] ?? ''))
          : null
      if (found !== null) return { supplier: null, supplierSlug: found.slug, match: 'host' }
    }
  }
  const studio = findStudio(title)
  return studio === null ? noSupplier : { supplier: null, supplierSlug: studio.slug, match: 'known_title' }
}

function isGameTile(tile: Element): boolean | null {
  let isGame: boolean | null = null
  for (const element of within(tile)) {
    if (attributeOf(element, 'rel')?.includes('sponsored') === true) return false
    const href = attributeOf(element, 'href')
    const judged = href === null ? null : judgePath(href)
    if (judged === 'others') return false
    if (judged === 'games' || element.attrs.some(({ name }) => gameAttribute.test(name))) isGame = true
  }
  return isGame
}

const linkOf = (tile: Element): string | null => {
  for (const element of within(tile)) {
    const href = attributeOf(element, 'href')
    if (href !== null && href !== '' && href !== '#') return href
  }
  return null
}

function isName(text: string): boolean {
  if (text === '' || text.length > 120 || !/\p{L}|\d/u.test(text)) return false
  return !verbs.has(fold(text)) && !isMoreButton(text) && !amount.test(text)
}

/** Yields the texts of a tile with their place: the path of shapes, and which of several it is. */
function* slotsOf(tile: Element): Generator<Slot> {
  const seen = new Map<string, number>()
  const open: { element: Element; path: string; isHeading: boolean }[] = [
    { element: tile, path: '', isHeading: false },
  ]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { element, path } = next
    const isHeading = next.isHeading || /^(?:h[1-6]|b|strong)$/.test(element.tagName)
    const numbered = (kind: string) => {
      const key = `${path}@${kind}`
      const count = seen.get(key) ?? 0
      seen.set(key, count + 1)
      return `${key}${count}`
    }
    for (const { name, value } of element.attrs) {
      const text = oneLine(value)
      if (name === 'alt') yield { path: numbered('alt'), kind: 'alt', text }
      else if (name === 'aria-label') yield { path: numbered('label'), kind: 'label', text }
      else if (name === 'title') yield { path: numbered('title'), kind: 'title', text }
      else if (titleAttribute.test(name)) yield { path: numbered('data'), kind: 'data', text }
    }
    const own = element.childNodes.some(child => 'value' in child && child.value.trim() !== '')
    if (own) yield { path: numbered('text'), kind: isHeading ? 'heading' : 'text', text: textOf(element) }
    if (own && childrenOf(element).every(({ childNodes }) => childNodes.length === 0)) continue
    for (const child of childrenOf(element))
      open.push({ element: child, path: `${path}>${shapeOf(child)}`, isHeading })
  }
}
