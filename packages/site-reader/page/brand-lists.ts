/**
 * Finds names of brands in a row: items of a list, cells of a table, or a text of names alone. Beside other
 * brands of its kind an ordinary word ("Pix", "Ideal") is a brand, too.
 */
import type { PageFields } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { mentionsRefusal, sentencesOfPage } from './payment-page.ts'
import type { PhraseIndex } from './phrase-index.ts'
import { placeOfImage, type TextPlace } from './text-places.ts'

/**
 * A brand that a name may mean. A `certain` name is no ordinary word. A `listed` one is as good in a list. An
 * `ordinary` one needs certain ones beside it, and a `short` one a column of studios.
 */
export type Brand = { rule: string; rank: BrandRank }
export type BrandRank = 'certain' | 'listed' | 'ordinary' | 'short'

const ranks: readonly BrandRank[] = ['certain', 'listed', 'ordinary', 'short']
export const isClear = ({ rank }: Brand): boolean => rank === 'certain' || rank === 'listed'

export type ListedBrand = { rule: string; snippet: string }

/** An item of a list. `continues` is true if the item before begins its text. */
type Item = {
  text: string
  words: readonly string[]
  continues: boolean
  isRefused: boolean
  /** Is true for a cell after the first of its row, where `at once` does not mean the method Sofort. */
  isLaterCell: boolean
}
type Place = { item: Item; brands: readonly Brand[]; isAfterGap: boolean }

type Limits = {
  brandsMin: number
  clearMin: number
  /** The number of brands without others between them that suffices, if all are clear and one is certain. */
  rowMin: number
  gapItemsMax: number
  gapWordsMax: number
  /** The ranks of names that count for `clearMin`. */
  clear: ReadonlySet<BrandRank>
}

const certainOnly: ReadonlySet<BrandRank> = new Set(['certain'])
const certainOrListed: ReadonlySet<BrandRank> = new Set(['certain', 'listed'])
/** Rows of two are left to studios: pictures of methods have many ordinary names, such as `pix.gif`. */
const pictures = { brandsMin: 3, clearMin: 2, rowMin: 3, gapItemsMax: 3, gapWordsMax: 4, clear: certainOnly }

export const listLimits = {
  /** Studios need more clear names, because titles of games are also names of studios. */
  studios: {
    ...{ brandsMin: 3, clearMin: 2, rowMin: 2, gapItemsMax: 3, gapWordsMax: 4 },
    clear: certainOrListed,
  },
  methods: { ...pictures, clearMin: 1 },
  /** Gaps may be longer, because a table of methods has limits, times and fees between their names. */
  methodsOfPaymentPage: {
    ...{ brandsMin: 2, clearMin: 1, rowMin: 2, gapItemsMax: 8, gapWordsMax: 12 },
    clear: certainOnly,
  },
}

const itemsMax = 6_000
const textCharactersMax = 1_500
const introductionItemsMax = 2
const nameWordsMax = 4
const separators = /[·•|,،、;:/()\n\t\u2013\u2014\u3001\uff0c\uff1b\u2022]|\s[-+&]\s/u

/** Words beside a name that do not change its meaning. */
export const fillers = new Set(
  [
    'logo logos icon icons card cards wallet wallets payment payments bank banking by',
    'white black dark light color colour coloured grey gray mono small large new provider',
    'and or und oder et ou y o e och og ja i ve u a the with more etc и или та або',
    'то и և ו و 및 和 และ và dan και और és si și ir un in',
  ].flatMap(words => words.split(' ')),
)

export function listedBrands(
  page: PageFields,
  places: readonly TextPlace[],
  brands: PhraseIndex<Brand>,
  limits: Limits,
): ListedBrand[] {
  const texts = page.texts.flatMap(({ text }, index) => itemsOf(text, places[index] as TextPlace))
  const refuses = (place: TextPlace | null | undefined) =>
    place !== null && place !== undefined && (place.isRefused || place.mentionsRefusal)
  const ofPictures = limits === listLimits.studios ? limits : pictures
  const images = page.images.map(image => {
    const isRefused = placeOfImage(image, page, places)?.isRefusedPart === true
    return itemOf(image.alt || image.file, { isRefused })
  })
  const inlines = page.inlines.map(({ text, index }) => itemOf(text, { isRefused: refuses(places[index]) }))
  // Pictures stay apart from texts, because pictures of games are among those of methods.
  return [
    ...runsOf(texts, brands, limits),
    ...runsOf(images, brands, ofPictures),
    ...runsOf(inlines, brands, ofPictures),
  ].flatMap(brandsOf)
}

const itemOf = (text: string, more: Partial<Item> = {}): Item => ({
  ...{ text, words: pageWords(text), continues: false, isRefused: false, isLaterCell: false, ...more },
})

/** Splits a text into items. A sentence that refuses a method stays one item. */
function itemsOf(text: string, { isRefused, isLaterCell, ...place }: TextPlace): Item[] {
  if (isRefused) return [itemOf(text.slice(0, textCharactersMax), { isRefused })]
  if (text.length > textCharactersMax) return [itemOf(text.slice(0, textCharactersMax))]
  return sentencesOfPage(text).flatMap(sentence => {
    if (place.mentionsRefusal && mentionsRefusal(pageWords(sentence)))
      return [itemOf(sentence, { isRefused: true })]
    return sentence
      .split(separators)
      .map((part, index) => itemOf(part, { continues: index > 0, isLaterCell }))
      .filter(({ words }) => words.length > 0)
  })
}

function runsOf(items: readonly Item[], brands: PhraseIndex<Brand>, limits: Limits): Place[][] {
  const runs: Place[][] = []
  let run: Place[] = []
  let gap = 0
  const end = () => {
    if (isList(run, limits)) runs.push(run)
    run = []
    gap = 0
  }
  items.slice(0, itemsMax).forEach((item, index) => {
    if (item.isRefused) {
      end()
      return
    }
    const inItem = brandsIn(item.words, brands)
    const isNote = item.isLaterCell && limits !== listLimits.studios
    const named = isNote && inItem?.some(({ rank }) => rank !== 'certain') ? null : inItem
    if (named !== null) {
      const before = items.slice(Math.max(0, index - introductionItemsMax), index)
      const isRefused = run.length === 0 && before.some(({ words }) => mentionsRefusal(words))
      const introduction = run.length === 0 && item.continues ? before.at(-1) : undefined
      const first = introduction === undefined ? null : brandAtEnd(introduction.words, brands)
      if (introduction !== undefined && first !== null && !isRefused)
        run.push({ item: introduction, brands: [first], isAfterGap: false })
      if (!isRefused) run.push({ item, brands: named, isAfterGap: gap > 0 })
      gap = 0
    } else if (run.length > 0) {
      gap += 1
      if (gap > limits.gapItemsMax || item.words.length > limits.gapWordsMax || mentionsRefusal(item.words))
        end()
    }
  })
  end()
  return runs
}

function isList(run: readonly Place[], { brandsMin, clearMin, rowMin, clear }: Limits): boolean {
  const all = run.flatMap(({ brands }) => brands)
  const rulesOf = (brands: readonly Brand[]) => new Set(brands.map(({ rule }) => rule)).size
  if (rulesOf(all) >= brandsMin && rulesOf(all.filter(({ rank }) => clear.has(rank))) >= clearMin) return true
  const isRow = !run.some(({ isAfterGap }) => isAfterGap) && all.every(isClear)
  return isRow && rulesOf(all) >= rowMin && all.some(({ rank }) => rank === 'certain')
}

const brandsOf = (run: readonly Place[]): ListedBrand[] =>
  run.flatMap(({ item, brands }) => brands.map(({ rule }) => ({ rule, snippet: item.text })))

/** Returns null if any word is not part of a brand name. */
export function brandsIn(
  words: readonly string[],
  index: PhraseIndex<Brand>,
  accepted: ReadonlySet<BrandRank> = namesInLists,
): Brand[] | null {
  const named: Brand[] = []
  for (let start = 0; start < words.length; ) {
    const found = index.longestAt(words, start)
    const brand = found === null ? null : preferred(found.payloads, accepted)
    if (found !== null && brand !== null) {
      named.push(brand)
      start = found.end
    } else if (
      fillers.has(words[start] as string) ||
      (named.length > 0 && named.every(isClear) && /^\d{1,4}$/.test(words[start] as string))
    )
      start += 1
    else return null
  }
  return named.length === 0 ? null : named
}

/** Returns the name before the first separator: Visa in "We accept Visa, Mastercard". */
function brandAtEnd(words: readonly string[], index: PhraseIndex<Brand>): Brand | null {
  for (let start = Math.max(0, words.length - nameWordsMax); start < words.length; start += 1) {
    const found = index.longestAt(words, start)
    const brand = found?.end === words.length ? preferred(found.payloads, namesInLists) : null
    if (brand !== null) return brand
  }
  return null
}

const namesInLists: ReadonlySet<BrandRank> = new Set(['certain', 'listed', 'ordinary'])
export const allRanks: ReadonlySet<BrandRank> = new Set(ranks)

/** Returns the brand of the best rank, or null if no rank is accepted. */
export function preferred(brands: readonly Brand[], accepted: ReadonlySet<BrandRank>): Brand | null {
  const fitting = brands.filter(({ rank }) => accepted.has(rank))
  return ranks.flatMap(rank => fitting.find(each => each.rank === rank) ?? [])[0] ?? null
}
