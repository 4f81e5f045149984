/**
 * Names of brands in a row: items of a list, cells of a table, or a text of names alone. Beside others of its
 * kind an ordinary word ("Pix", "Ideal") is a brand, too.
 */
import type { PageFields } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { mentionsRefusal, sentencesOf } from './payment-page.ts'
import type { PhraseIndex } from './phrase-index.ts'
import type { TextPlace } from './text-places.ts'

/** `isCertain`: the name is no ordinary word. */
export type Brand = { rule: string; isCertain: boolean }

export type ListedBrand = { rule: string; snippet: string }

/** `continues`: a text that the item before begins. */
type Item = {
  text: string
  words: readonly string[]
  continues: boolean
  isRefused: boolean
  /** A cell of a table that is not the first of its row: `at once`, and not the method Sofort. */
  isLaterCell: boolean
}
type Place = { item: Item; brands: readonly Brand[] }

type Limits = { brandsMin: number; certainMin: number; gapItemsMax: number; gapWordsMax: number }

export const listLimits = {
  /** Titles of games are names of studios, too. */
  studios: { brandsMin: 3, certainMin: 2, gapItemsMax: 3, gapWordsMax: 4 },
  methods: { brandsMin: 3, certainMin: 1, gapItemsMax: 3, gapWordsMax: 4 },
  /** A table of methods has limits, times and fees between their names. */
  methodsOfPaymentPage: { brandsMin: 2, certainMin: 1, gapItemsMax: 8, gapWordsMax: 12 },
}

const itemsMax = 6_000
const textCharactersMax = 1_500
const introductionItemsMax = 2
const nameWordsMax = 4
const separators = /[·•|,،、;:/()\n\t\u2013\u2014\u3001\uff0c\uff1b\u2022]|\s[-+&]\s/u

/** Words that stand beside a name without changing it. */
const fillers = new Set(
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
  const pictures = page.images.map(({ alt, file }) => itemOf(alt || file))
  const inlines = page.inlines.map(text => itemOf(text))
  // Pictures of games are among those of methods.
  return [
    ...runsOf(texts, brands, limits),
    ...runsOf(pictures, brands, listLimits.studios),
    ...runsOf(inlines, brands, listLimits.studios),
  ].flatMap(brandsOf)
}

const itemOf = (text: string, more: Partial<Item> = {}): Item => ({
  ...{ text, words: pageWords(text), continues: false, isRefused: false, isLaterCell: false, ...more },
})

/** A sentence that refuses is one item. */
function itemsOf(text: string, { isRefused, isLaterCell, ...place }: TextPlace): Item[] {
  if (isRefused) return [itemOf(text.slice(0, textCharactersMax), { isRefused })]
  if (text.length > textCharactersMax) return [itemOf(text.slice(0, textCharactersMax))]
  return sentencesOf(text).flatMap(sentence => {
    if (place.mentionsRefusal && mentionsRefusal(pageWords(sentence)))
      return [itemOf(sentence, { isRefused: true })]
    return sentence
      .split(separators)
      .map((part, index) => itemOf(part, { continues: index > 0, isLaterCell }))
      .filter(({ words }) => words.length > 0)
  })
}

/** Names that an attribute, or the folder of a picture, says to be of the kind. */
export const labelledBrands = (names: readonly string[], brands: PhraseIndex<Brand>): ListedBrand[] =>
  names.flatMap(name => {
    const words = pageWords(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '))
    const named = brandsIn(words, brands) ?? brandsIn(pageWords(name), brands) ?? []
    return named.map(({ rule }) => ({ rule, snippet: name }))
  })

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
    const named = item.isLaterCell && inItem?.some(({ isCertain }) => !isCertain) ? null : inItem
    if (named !== null) {
      const before = items.slice(Math.max(0, index - introductionItemsMax), index)
      const isRefused = run.length === 0 && before.some(({ words }) => mentionsRefusal(words))
      const introduction = run.length === 0 && item.continues ? before.at(-1) : undefined
      const first = introduction === undefined ? null : brandAtEnd(introduction.words, brands)
      if (introduction !== undefined && first !== null && !isRefused)
        run.push({ item: introduction, brands: [first] })
      if (!isRefused) run.push({ item, brands: named })
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

function isList(run: readonly Place[], { brandsMin, certainMin }: Limits): boolean {
  const all = run.flatMap(({ brands }) => brands)
  const rules = new Set(all.map(({ rule }) => rule))
  const certain = new Set(all.filter(({ isCertain }) => isCertain).map(({ rule }) => rule))
  return rules.size >= brandsMin && certain.size >= certainMin
}

const brandsOf = (run: readonly Place[]): ListedBrand[] =>
  run.flatMap(({ item, brands }) => brands.map(({ rule }) => ({ rule, snippet: item.text })))

/** null: some of the words are no name. */
function brandsIn(words: readonly string[], index: PhraseIndex<Brand>): Brand[] | null {
  const named: Brand[] = []
  for (let start = 0; start < words.length; ) {
    const found = index.longestAt(words, start)
    if (found !== null) {
      named.push(preferred(found.payloads))
      start = found.end
    } else if (
      fillers.has(words[start] as string) ||
      (named.length > 0 && /^\d{1,4}$/.test(words[start] as string))
    )
      start += 1
    else return null
  }
  return named.length === 0 ? null : named
}

/** "We accept Visa, Mastercard": the name before the first separator. */
function brandAtEnd(words: readonly string[], index: PhraseIndex<Brand>): Brand | null {
  for (let start = Math.max(0, words.length - nameWordsMax); start < words.length; start += 1) {
    const found = index.longestAt(words, start)
    if (found?.end === words.length) return preferred(found.payloads)
  }
  return null
}

const preferred = (brands: readonly Brand[]): Brand =>
  brands.find(({ isCertain }) => isCertain) ?? (brands[0] as Brand)
