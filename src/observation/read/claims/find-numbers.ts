/** Finds license numbers in one visible text. */
import { type NumberRule, numberRules, type Phrase } from './number-rules.ts'
import { canBeginAt, matchShape } from './number-shape.ts'
import {
  findPhrases,
  type Place,
  type PlacedWord,
  placeOfPhrase,
  wordsOf,
  wordsWithPlaces,
} from './place-words.ts'

export type LicenseNumber = {
  /** null: of a market without a code, or of a form that is not known. */
  market: string | null
  /** Position of the form among the market's; -1: not known. */
  shape: number
  number: string
  start: number
  end: number
}

/** Longer texts are cut. */
export const textCharactersMax = 2_000
/** Where the words before a number are looked for. */
const leadCharactersMax = 60
/** `39225 and 1234`. */
const joiners = new Set(['', 'and', '&', 'und', 'et', 'y', 'e', 'i', 'och', 'og', 'ja', 'ir', 'un'])
/** Between the words and the number: `license number no. 5`. */
const fillers = new Set([
  ...['no', 'nr', 'n', 'n°', 'o', 'num', 'numero', 'number', 'nummer', 'numer', 'c', 'j', 'cislo'],
  ...['αρ', 'αριθμοσ', 'номер', 'is', 'of', 'the', 'dnr', 'az', 'ref'],
])
const fillersMax = 3

/** In the order of the text. A number of several markets is the nearest regulator's. */
export function findNumbers(whole: string): LicenseNumber[] {
  const text = whole.slice(0, textCharactersMax)
  if (!/\d/.test(text)) return []
  const words = wordsWithPlaces(text)
  const regulators = findRegulators(text, words)
  const found: LicenseNumber[] = []
  for (let at = 0; at < text.length; ) {
    const match = numberAt(text, at, { words, regulators, before: found.at(-1) })
    if (match === null) at += 1
    else {
      found.push(match)
      at = match.end
    }
  }
  return found.length > 0 ? found : numbersOfOtherForms(text, regulators)
}

/** The letters of a regulator may stand before it: `BCLB 0000641`. */
const numberLike =
  /(?<![\p{L}\p{N}./-])(?:[A-Z]{3,6} (?=\d))?[A-Z\d][A-Z\d]*(?:[./-][A-Z\d]+){0,6}(?![\p{L}\p{N}/-])/gu
const yearOrDate = /^(?:19|20)\d\d$|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}-\d\d-\d\d$/
const digitsMin = 3

/** `licence number 0001144`: the words before a number say what it is. */
function numbersOfOtherForms(text: string, regulators: readonly Regulator[]): LicenseNumber[] {
  for (const { 0: number, index: start } of text.matchAll(numberLike)) {
    if (number.replaceAll(/\D/g, '').length < digitsMin || yearOrDate.test(number)) continue
    const lead = wordsOf(text.slice(Math.max(0, start - leadCharactersMax), start))
    if (!numberRules.numberWords.some(phrase => endsWith(lead, phrase))) continue
    const place = { start, end: start + number.length }
    const market = nearestRegulator(regulators, place)?.market ?? null
    return [
      { market, shape: -1, number, ...place },
      ...numbersLike(text, number, { market, from: place.end }),
    ]
  }
  return []
}

/** More of the same regulator: `BCLB 0000641 (bookmaker) and BCLB 0000642`. */
function numbersLike(
  text: string,
  first: string,
  { market, from }: { market: string | null; from: number },
): LicenseNumber[] {
  const [, letters] = /^([A-Z]{3,6} )\d+$/.exec(first) ?? []
  if (letters === undefined) return []
  return [...text.slice(from).matchAll(numberLike)].flatMap(({ 0: number, index }) => {
    const start = from + index
    const isLike = number.startsWith(letters) && number.length === first.length
    return isLike ? [{ market, shape: -1, number, start, end: start + number.length }] : []
  })
}

const namesByFirstWord = Map.groupBy(numberRules.names, ({ name }) => name[0])

export type Regulator = { market: string; start: number; end: number }

/** Of overlapping names the longest: `Alderney Gambling Control Commission` is not the UK's. */
export function findRegulators(text: string, words = wordsWithPlaces(text)): Regulator[] {
  const all = words.flatMap(({ word }, at) =>
    (namesByFirstWord.get(word) ?? []).flatMap(({ market, name }) => {
      const place = placeOfPhrase(words, name, at)
      return place === null || isOrdinaryWord(name, text.slice(place.start, place.end))
        ? []
        : [{ market, ...place }]
    }),
  )
  return all.filter(
    each =>
      !all.some(
        other =>
          other.start <= each.start &&
          other.end >= each.end &&
          other.end - other.start > each.end - each.start,
      ),
  )
}

/** `Spa` is a town: an abbreviation is written in capitals. */
const isOrdinaryWord = (name: Phrase, written: string): boolean =>
  name.length === 1 && (name[0] as string).length <= 4 && written !== written.toUpperCase()

type Surroundings = {
  words: readonly PlacedWord[]
  regulators: readonly Regulator[]
  before: LicenseNumber | undefined
}

function numberAt(text: string, at: number, surroundings: Surroundings): LicenseNumber | null {
  if (!canBeginAt(text, at)) return null
  for (const rule of numberRules.rules) {
    const match = matchShape(rule.shape, text, at)
    if (match === null || isNever(rule, match.number)) continue
    const number = { market: rule.market, shape: rule.index, number: match.number, start: at, end: match.end }
    if (isInContext(rule, text, number, surroundings)) return number
  }
  return null
}

const isNever = (rule: NumberRule, number: string): boolean =>
  rule.never.some(each => number === each || number.startsWith(`${each}/`))

function isInContext(
  rule: NumberRule,
  text: string,
  number: LicenseNumber,
  { words, regulators, before }: Surroundings,
): boolean {
  if (rule.isNamed && nearestRegulator(regulators, number)?.market !== rule.market) return false
  if (rule.after !== null && !continues(text, before, number)) {
    const lead = wordsOf(text.slice(Math.max(0, number.start - leadCharactersMax), number.start))
    if (!rule.after.some(phrase => endsWith(lead, phrase))) return false
  }
  return rule.with === null || hasPhrase(words, rule.with)
}

/** The last one before the number, else the first one after it. */
function nearestRegulator(regulators: readonly Regulator[], number: Place): Regulator | undefined {
  const before = regulators.filter(each => each.end <= number.start)
  if (before.length > 0) return before.reduce((a, b) => (b.end > a.end ? b : a))
  const after = regulators.filter(each => each.start >= number.end)
  return after.length === 0 ? undefined : after.reduce((a, b) => (b.start < a.start ? b : a))
}

function hasPhrase(words: readonly PlacedWord[], phrases: readonly Phrase[]): boolean {
  return phrases.some(phrase => findPhrases(words, phrase).length > 0)
}

function continues(text: string, before: LicenseNumber | undefined, number: LicenseNumber): boolean {
  if (before === undefined || before.market !== number.market || before.shape !== number.shape) return false
  const between = text.slice(before.end, number.start)
  return between.length <= 6 && joiners.has(wordsOf(between).join(' '))
}

function endsWith(words: readonly string[], phrase: Phrase): boolean {
  for (let cut = 0; cut <= fillersMax; cut += 1) {
    const end = words.length - cut
    if (phrase.every((word, index) => words[end - phrase.length + index] === word)) return true
    if (!fillers.has(words[end - 1] ?? '')) return false
  }
  return false
}
