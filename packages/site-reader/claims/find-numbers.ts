/** Finds license numbers in one visible text. */
import { type EndingPhrases, type NumberRule, numberRules, type Phrase } from './number-rules.ts'
import { canBeginWith, matchShape, numberEdge } from './number-shape.ts'
import {
  findPhrases,
  type Place,
  type PlacedWord,
  placeOfPhrase,
  wordsOfSentence,
  wordsWithPlaces,
} from './place-words.ts'

export type LicenseNumber = {
  /** The market; null if it has no code, or if the form of the number is not known. */
  market: string | null
  /** The index of the form among the market's; -1 if not known. */
  shape: number
  number: string
  start: number
  end: number
}

/** Limits the searched text. Longer texts are cut. */
export const textCharactersMax = 2_000
/** Limits the text before a number that is searched for words such as `licence number`. */
const leadCharactersMax = 60
/** Words that join two numbers, as in `39225 and 1234`. */
const joiners = new Set(['', 'and', '&', 'und', 'et', 'y', 'e', 'i', 'och', 'og', 'ja', 'ir', 'un'])
/** Words between the phrase and the number, as in `license number no. 5`. */
const fillers = new Set([
  ...['no', 'nr', 'n', 'n°', 'o', 'num', 'numero', 'number', 'nummer', 'numer', 'c', 'j', 'cislo'],
  ...['αρ', 'αριθμοσ', 'номер', 'is', 'of', 'the', 'dnr', 'az', 'ref'],
])
const fillersMax = 3

/**
 * Finds numbers in the order of the text. A number that fits several markets belongs to the nearest
 * regulator's.
 */
export function findNumbers(
  whole: string,
  words = wordsWithPlaces(whole.slice(0, textCharactersMax)),
): LicenseNumber[] {
  const text = whole.slice(0, textCharactersMax)
  if (!/\d/.test(text)) return []
  const regulators = findRegulators(text, words)
  const leadAt = leadsOf(text, words)
  const found: LicenseNumber[] = []
  const edge = new RegExp(numberEdge)
  for (let begin = edge.exec(text); begin !== null; begin = edge.exec(text)) {
    const match = numberAt(text, begin.index, { words, regulators, leadAt, before: found.at(-1) })
    if (match === null) continue
    found.push(match)
    edge.lastIndex = match.end
  }
  return found.length > 0 ? found : numbersOfOtherForms(text, { regulators, leadAt })
}

/** Matches a number that may follow the letters of a regulator: `BCLB 0000641`. */
const numberLike =
  /(?<![\p{L}\p{N}./-])(?:[A-Z]{3,6} (?=\d))?[A-Z\d][A-Z\d]*(?:[./-][A-Z\d]+){0,6}(?![\p{L}\p{N}/-])/gu
const yearOrDate = /^(?:19|20)\d\d$|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}-\d\d-\d\d$/
const digitsMin = 3

/** Finds numbers of unknown forms by the words before them: `licence number 0001144`. */
function numbersOfOtherForms(
  text: string,
  { regulators, leadAt }: Pick<Surroundings, 'regulators' | 'leadAt'>,
): LicenseNumber[] {
  for (const { 0: number, index: start } of text.matchAll(numberLike)) {
    if (number.replaceAll(/\D/g, '').length < digitsMin || yearOrDate.test(number)) continue
    if (!endsWith(leadAt(start), numberRules.numberWords)) continue
    const place = { start, end: start + number.length }
    const market = nearestRegulator(regulators, place)?.market ?? null
    return [
      { market, shape: -1, number, ...place },
      ...numbersLike(text, number, { market, from: place.end }),
    ]
  }
  return []
}

/** Finds further numbers of the same regulator: `BCLB 0000641 (bookmaker) and BCLB 0000642`. */
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

/**
 * Finds names of regulators. The longest of overlapping names counts: `Alderney Gambling Control
 * Commission` is not the UK's.
 */
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

/** Counts the short name of a regulator in capitals only: `SPA` is one, and `Spa` is a town. */
const isOrdinaryWord = (name: Phrase, written: string): boolean =>
  name.length === 1 && (name[0] as string).length <= 4 && written !== written.toUpperCase()

type Surroundings = {
  words: readonly PlacedWord[]
  regulators: readonly Regulator[]
  /** Returns the words before a position, if one of them can precede a number. */
  leadAt: (position: number) => readonly string[]
  before: LicenseNumber | undefined
}

const rulesByLetter = new Map<string, readonly NumberRule[]>()

/** Returns the rules whose numbers can begin with the letter. */
function rulesOf(letter: string): readonly NumberRule[] {
  const known = rulesByLetter.get(letter)
  if (known !== undefined) return known
  const rules = numberRules.rules.filter(({ shape }) => canBeginWith(shape, letter))
  rulesByLetter.set(letter, rules)
  return rules
}

/**
 * Returns a function that folds the words before a number only on demand, because folding all of them takes
 * long.
 */
function leadsOf(text: string, words: readonly PlacedWord[]): Surroundings['leadAt'] {
  const nearLeads = new Uint8Array(text.length)
  for (const { word, start, end } of words)
    if (numberRules.leadWords.has(word)) nearLeads.fill(1, start + 1, end + leadCharactersMax)
  let next = 0
  let last: { position: number; lead: readonly string[] } = { position: -1, lead: [] }
  return position => {
    if (nearLeads[position] === 0) return []
    if (last.position === position) return last.lead
    const from = position - leadCharactersMax
    if (position < last.position) next = 0
    while (next < words.length && (words[next] as PlacedWord).end <= position) next += 1
    let first = next
    while (first > 0 && (words[first - 1] as PlacedWord).start >= from) first -= 1
    // A number can begin within a written word, as in `No.5`.
    const cut = words[next]?.start ?? position
    const rest = cut < position ? wordsOfSentence(text.slice(Math.max(from, cut), position)) : []
    last = { position, lead: [...words.slice(first, next).map(({ word }) => word), ...rest] }
    return last.lead
  }
}

function numberAt(text: string, at: number, surroundings: Surroundings): LicenseNumber | null {
  const { regulators, leadAt, before } = surroundings
  for (const rule of rulesOf(text[at] as string)) {
    if (rule.isNamed && regulators.length === 0) continue
    if (rule.after !== null && before === undefined && leadAt(at).length === 0) continue
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
  { words, regulators, leadAt, before }: Surroundings,
): boolean {
  if (rule.isNamed && nearestRegulator(regulators, number)?.market !== rule.market) return false
  const isLed = rule.after === null || continues(text, before, number)
  if (!isLed && !endsWith(leadAt(number.start), rule.after as EndingPhrases)) return false
  return rule.with === null || hasPhrase(words, rule.with)
}

/** Returns the last regulator before the number, or else the first one after it. */
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
  return between.length <= 6 && joiners.has(wordsOfSentence(between).join(' '))
}

function endsWith(words: readonly string[], phrases: EndingPhrases): boolean {
  for (let end = words.length; end >= words.length - fillersMax; end -= 1) {
    const last = words[end - 1] ?? ''
    const isPhrase = (phrase: Phrase) =>
      phrase.every((word, index) => words[end - phrase.length + index] === word)
    if (phrases.get(last)?.some(isPhrase)) return true
    if (!fillers.has(last)) return false
  }
  return false
}
