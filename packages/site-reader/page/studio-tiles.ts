/** Finds studios in the place that tiles of games have for them. */
import { readRuleFile } from '../read-rule-file.ts'
import { allRanks, type Brand, brandsIn, isClear, type ListedBrand, preferred } from './brand-lists.ts'
import type { PageFields, PageTile } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { mentionsRefusal } from './payment-page.ts'
import type { PhraseIndex } from './phrase-index.ts'
import type { TextPlace } from './text-places.ts'

const words = readRuleFile<{ verbs: string[]; prepositions: string[] }>('studio-words')
const verbs = new Set(words.verbs.map(verb => pageWords(verb)[0] as string))
const prepositions = new Set(words.prepositions.map(each => pageWords(each)[0] as string))
export const isStudioPreposition = (word: string): boolean => prepositions.has(word)

const inBrackets = /[([]([^()[\]]{2,40})[)\]]\s*$/u
const separators = /\s[|–—·•:/-]\s|[|·•]|:\s/u
/** So many clear studios in tiles show that ordinary names there are studios, too. */
const clearMin = 2

/** A longer text is a sentence. */
const tileTextCharactersMax = 60

/** `isItem` is true for an item of a list, or a cell. */
type Tile = PageTile & { isItem: boolean }
type Found = { brand: Brand; snippet: string; isBySign: boolean }

/** Finds studios in labels: `Starburst | NetEnt`, `Starburst (NetEnt)`, `Play Starburst by NetEnt`. */
export function tileBrands(
  { tiles, texts }: PageFields,
  places: readonly TextPlace[],
  brands: PhraseIndex<Brand>,
): ListedBrand[] {
  const short = texts.filter(
    ({ text }, index) => text.length <= tileTextCharactersMax && places[index]?.isRefused === false,
  )
  const labels = [
    ...tiles.map(tile => ({ ...tile, isItem: false })),
    ...short.map(({ text, row }) => ({ label: text, game: '', isItem: row > 0 })),
  ]
  const found = labels.flatMap(tile => studioOf(tile, brands) ?? [])
  const clear = new Set(found.filter(({ brand }) => isClear(brand)).map(({ brand }) => brand.rule))
  return found
    .filter(({ brand }) => isClear(brand) || clear.size >= clearMin)
    .map(({ brand, snippet }) => ({ rule: brand.rule, snippet }))
}

function studioOf({ label, game, isItem }: Tile, brands: PhraseIndex<Brand>): Found | null {
  const labelWords = pageWords(label)
  const isOf = (each: readonly string[]): Brand | null => {
    const found = each.length === 0 ? null : brands.longestAt(each, 0)
    return found?.end === each.length ? preferred(found.payloads, allRanks) : null
  }
  const parts = label.split(separators)
  const first = parts.length > 1 ? isOf(pageWords(parts[0] as string)) : null
  const candidates = [
    isOf(pageWords(inBrackets.exec(label)?.[1] ?? '')),
    parts.length > 1 ? isOf(pageWords(parts.at(-1) as string)) : null,
    first?.rank === 'certain' ? first : null,
    afterPreposition(labelWords, pageWords(game), isOf),
  ]
  const brand = candidates.find(each => each !== null) ?? (isItem ? lastWords(label, labelWords, isOf) : null)
  if (brand === undefined || brand === null || mentionsRefusal(labelWords)) return null
  return { brand, snippet: label, isBySign: true }
}

const studioWordsMax = 3

/** Reads `Super Ace JILI`. The name is certain and has a capital. */
function lastWords(
  label: string,
  ofLabel: readonly string[],
  isOf: (words: readonly string[]) => Brand | null,
): Brand | null {
  const last = label.slice(label.trimEnd().lastIndexOf(' ') + 1)
  if (last === last.toLowerCase()) return null
  for (let words = Math.min(studioWordsMax, ofLabel.length - 1); words > 0; words -= 1) {
    const brand = isOf(ofLabel.slice(-words))
    if (brand?.rank === 'certain') return brand
  }
  return null
}

/** An ordinary name counts after a verb (`Play …`), or after the name of the game. */
function afterPreposition(
  label: readonly string[],
  game: readonly string[],
  isOf: (words: readonly string[]) => Brand | null,
): Brand | null {
  const at = label.findLastIndex((word, index) => index > 0 && prepositions.has(word))
  const brand = at < 0 ? null : isOf(label.slice(at + 1))
  const isOfGame = game.length > 0 && game.every((word, index) => label[index] === word)
  const isOfTile = isOfGame || verbs.has(label[0] ?? '')
  return brand?.rank === 'certain' || isOfTile ? brand : null
}

type Cell = { text: string; row: number; column: string }

const cellsMin = 3
const sharesMin = 0.75
const cellWordsMax = 5

/** Finds studios in a column: the same kind of element in each of several rows, most of which name studios. */
export function columnBrands(
  { texts, inlines }: PageFields,
  places: readonly TextPlace[],
  brands: PhraseIndex<Brand>,
): ListedBrand[] {
  const isRefused = (index: number) => places[index]?.isRefused === true
  const cellsOfRow = new Map<number, number>()
  const ofTexts = texts.map(({ text, row, tag, depth }, index) => {
    const position = (cellsOfRow.get(row) ?? 0) + 1
    cellsOfRow.set(row, position)
    return { text, row, column: `${tag} ${depth} ${position}`, index }
  })
  const ofInlines = inlines.map(({ text, row, tag, index }) => ({ text, row, column: tag, index }))
  const cells: Cell[] = [...ofTexts, ...ofInlines].filter(({ row, index }) => row > 0 && !isRefused(index))
  const inRow = Map.groupBy(cells, ({ row }) => row)
  const columns = Map.groupBy(
    cells.filter(({ row }) => (inRow.get(row)?.length ?? 0) > 1),
    ({ column }) => column,
  )
  return [...columns.values()].flatMap(column => studiosOf(column, brands))
}

function studiosOf(column: readonly Cell[], brands: PhraseIndex<Brand>): ListedBrand[] {
  if (column.length < cellsMin) return []
  const named = column.flatMap(({ text }) => {
    const cell = pageWords(text)
    const found = cell.length > cellWordsMax ? null : brandsIn(cell, brands, allRanks)
    return found === null ? [] : [{ found, text }]
  })
  const all = named.flatMap(({ found }) => found)
  const isColumn = named.length / column.length >= sharesMin && new Set(all.map(({ rule }) => rule)).size > 1
  if (!isColumn || !all.some(isClear)) return []
  return named.flatMap(({ found, text }) => found.map(({ rule }) => ({ rule, snippet: text })))
}
