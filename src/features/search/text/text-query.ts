/** Compiles a text into queries on the documents (document.ts). */
import {
  type FoldedName,
  type FrontName,
  foldForm,
  foldFrontName,
  foldName,
  foldNumber,
  foldNumberWithoutVersion,
  formWords,
  keysOfUnfinishedForm,
  readDomain,
  splitJoinedForm,
  truncateKey,
} from '@baize/names'
import type { SearchSubject } from '../contract.ts'
import { formSign, joinedSign, numberSign, quoted, speltSign, versionlessSign } from '../rows/document.ts'

/** The tiers of a match, the best first. The lower three are searched only if no row contains the text. */
export const tiers = {
  /** The row has the text as a whole name, with its legal form, or as the number of a license. */
  name: 6,
  /** The row has the text as a whole name, ignoring legal form and blanks. */
  nearlyName: 5,
  beginning: 4,
  words: 3,
  similarName: 2,
  misspelt: 1,
  parts: 0,
} as const

type Tier = (typeof tiers)[keyof typeof tiers]

/** A beginning that was typed with the legal form in front needs a name of that form. */
export type Beginning = { beginning: FoldedName; needsForm: boolean }

export type Marks = {
  words: ReadonlySet<string>
  /** The words of a legal form, if the text has no other words. */
  form: readonly string[]
  /** The text as the beginning of a name; empty if beginnings are not searched. */
  beginnings: readonly Beginning[]
  names: ReadonlySet<string>
  /** The keys of whole names, if the text ends within their legal form. */
  begun: ReadonlySet<string>
  numbers: readonly string[]
  domain: string | null
}

export type TextQuery = {
  /** One tsquery for each tier, the best first. A row has the first tier that it matches. */
  tiers: readonly { tier: Tier; query: string }[]
  /** Ranks rows within a tier. It has no prefix matches, which all have the same rank and cost most. */
  rank: string
  marks: Marks
}

const either = (queries: readonly string[]) => queries.join(' | ')
export const both = (queries: readonly string[]) => queries.map(query => `(${query})`).join(' & ')
export const eitherOf = (lexemes: readonly string[]) => either(lexemes.map(quoted))

const allOfEither = (words: readonly string[], forms: readonly string[]) =>
  either([words, forms].filter(lexemes => lexemes.length > 0).map(lexemes => both(lexemes.map(quoted))))

export function compileText(subject: SearchSubject, text: string): TextQuery | null {
  const name = foldName(text)
  if (name.key === '') return null
  const numbers = subject === 'license' && /\d/.test(text) ? numbersOf(text) : []
  const spelt = speltSign + truncateKey(name.key)
  const joined = joinedOf(name)
  const words = [...new Set(name.words)].map(word => truncateKey(word))
  const form = foldForm(text)
  const forms = form.map(word => formSign + word)
  const { readings, front, ofAnyForm, ofTheForm } = readTypedName(text)
  const spellings = readings.map(({ key }) => speltSign + truncateKey(key))
  const joins = ofAnyForm.map(joinedOf)
  const exact = subject === 'license' ? numbers : spellings
  const nearly = subject === 'license' ? [...spellings, ...joins] : joins
  const begun = name.form === null ? keysOfUnfinishedForm(text).map(key => truncateKey(key)) : []
  const queries = [
    { tier: tiers.name, query: eitherOf(exact) },
    { tier: tiers.nearlyName, query: either([eitherOf(nearly), ...ofTheForm.map(nameWithForm)]) },
    {
      tier: tiers.beginning,
      query: either([
        ...beginnings(name, spelt, joined, numbers).map(beginsWith),
        ...begun.map(key => quoted(speltSign + key)),
        ...(front === null ? [] : [withForm(beginsWith(joinedOf(front)), front)]),
      ]),
    },
    {
      tier: tiers.words,
      query: either([allOfEither(words, forms), wordsOfFront(front)].filter(each => each !== '')),
    },
  ]
  const marks = {
    words: new Set(readings.flatMap(reading => reading.words)),
    form,
    beginnings: readings.map(beginning => ({ beginning, needsForm: beginning === front })),
    names: new Set([...readings, ...ofTheForm].map(({ joined }) => truncateKey(joined))),
    begun: new Set(begun),
    numbers: numbers.map(unsigned),
    domain: domainInText(text),
  }
  return {
    tiers: queries.filter(({ query }) => query !== ''),
    rank: eitherOf([...exact, ...nearly, ...ofTheForm.map(joinedOf), ...words, ...forms]),
    marks,
  }
}

type FormedName = { joined: string; form: string }

export type TypedName = {
  readings: readonly FoldedName[]
  front: FrontName | null
  /** Match names of any legal form. */
  ofAnyForm: readonly FoldedName[]
  /** Match names of this legal form alone, because it may be a word: `AS Roma`, or `texas` for Tex AS. */
  ofTheForm: readonly FormedName[]
}

/** Reads a typed name as written, with its legal form in front, and with an attached one. */
export function readTypedName(text: string): TypedName {
  const name = foldName(text)
  const front = foldFrontName(text)
  const glued = name.form === null ? splitJoinedForm(name.joined) : []
  const ofTheForm = glued.map(({ stem, form }) => ({ joined: stem, form }))
  if (front === null) return { readings: [name], front, ofAnyForm: [name], ofTheForm }
  const readings = [name, front]
  if (front.isSure) return { readings, front, ofAnyForm: readings, ofTheForm }
  return { readings, front, ofAnyForm: [name], ofTheForm: [...ofTheForm, front] }
}

const joinedOf = ({ joined }: { joined: string }) => joinedSign + truncateKey(joined)

const withForm = (query: string, { form }: { form: string | null }) =>
  `(${both([query, ...formWords(form).map(word => quoted(formSign + word))])})`

const nameWithForm = (name: FormedName) => withForm(quoted(joinedOf(name)), name)

/** A form in front may be missing in the row, unless it may be a word: `AS Roma` does not mean all Romas. */
function wordsOfFront(front: FrontName | null): string {
  if (front === null) return ''
  const words = both([...new Set(front.words)].map(word => quoted(truncateKey(word))))
  return front.isSure ? words : withForm(words, front)
}

/** A mail address finds the Company of its host. */
export function domainInText(text: string): string | null {
  const reading = text.includes('.') ? readDomain(text.replace(/^[^\s@:/]+@/, '')) : null
  return reading?.ok ? reading.domain : null
}

const beginsWith = (lexeme: string) => `${quoted(lexeme)}:*`
const unsigned = (lexeme: string) => lexeme.slice(1)

/** Returns the beginnings to search. A text with a legal form is a whole name, so its form must match. */
function beginnings(
  { form }: FoldedName,
  spelt: string,
  joined: string,
  numbers: readonly string[],
): string[] {
  return [spelt, ...(form === null ? [joined] : []), ...numbers]
}

function numbersOf(text: string): string[] {
  const number = foldNumber(text)
  if (number === '') return []
  const versionless = foldNumberWithoutVersion(text) ?? number
  return [numberSign + truncateKey(number), versionlessSign + truncateKey(versionless)]
}

export function anyTier({ tiers: each }: TextQuery): string {
  return either(each.map(({ query }) => `(${query})`))
}

const scoreShares = Object.keys(tiers).length + 1
const scoreDecimals = 10_000

/** Computes a score. Each tier has an eighth of the scale, from 1/8 up, and the rank decides within it. */
export function scoreOf(tier: number, rank: number): number {
  return Math.floor(((1 + tier + rank / (1 + rank)) / scoreShares) * scoreDecimals) / scoreDecimals
}

/** Whether a row of this score has the text as a whole name, ignoring legal form and blanks. */
export const isWholeName = (score: number | null) => score !== null && score >= scoreOf(tiers.nearlyName, 0)
