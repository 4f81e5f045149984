/** Compiles a text into queries on the documents (document.ts). */
import { readDomain } from '../../../core/domain-name.ts'
import { splitJoinedForm } from '../../../core/legal-name.ts'
import {
  type FoldedName,
  foldForm,
  foldName,
  foldNumber,
  foldNumberWithoutVersion,
  formWords,
  keysOfUnfinishedForm,
  truncateKey,
} from '../../../core/search-text.ts'
import type { SearchSubject } from '../contract.ts'
import { formSign, joinedSign, numberSign, quoted, speltSign, versionlessSign } from '../rows/document.ts'

/** How a row matches, the best first. The lower three are searched only if no row contains the text. */
export const tiers = {
  /** A whole name, legal form included; the number of a license. */
  name: 6,
  /** A whole name, ignoring legal form and blanks. */
  nearlyName: 5,
  beginning: 4,
  words: 3,
  similarName: 2,
  misspelt: 1,
  parts: 0,
} as const

type Tier = (typeof tiers)[keyof typeof tiers]

export type Marks = {
  words: ReadonlySet<string>
  /** The words of a legal form, if the text is nothing else. */
  form: readonly string[]
  /** Beginning of a name; null: beginnings are not searched. */
  beginning: FoldedName | null
  names: ReadonlySet<string>
  /** Keys of whole names, if the text ends within their legal form. */
  begun: ReadonlySet<string>
  numbers: readonly string[]
  domain: string | null
}

export type TextQuery = {
  /** A tsquery for each tier, the best first; a row has the first tier that it matches. */
  tiers: readonly { tier: Tier; query: string }[]
  /** Ranks rows within a tier. Without prefix matches, which all have the same rank and cost most. */
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
  const joined = joinedSign + truncateKey(name.joined)
  const words = [...new Set(name.words)].map(word => truncateKey(word))
  const form = foldForm(text)
  const forms = form.map(word => formSign + word)
  const exact = subject === 'license' ? numbers : [spelt]
  const nearly = subject === 'license' ? [spelt, joined] : [joined]
  const glued = namesWithJoinedForm(name)
  const begun = name.form === null ? keysOfUnfinishedForm(text).map(key => truncateKey(key)) : []
  const queries = [
    { tier: tiers.name, query: eitherOf(exact) },
    { tier: tiers.nearlyName, query: either([eitherOf(nearly), ...glued.map(nameWithForm)]) },
    {
      tier: tiers.beginning,
      query: either([
        ...beginnings(name, spelt, joined, numbers).map(beginsWith),
        ...begun.map(key => quoted(speltSign + key)),
      ]),
    },
    { tier: tiers.words, query: allOfEither(words, forms) },
  ]
  const marks = {
    words: new Set(name.words),
    form,
    beginning: name,
    names: new Set([name, ...glued].map(({ joined }) => truncateKey(joined))),
    begun: new Set(begun),
    numbers: numbers.map(unsigned),
    domain: domainOf(text),
  }
  return {
    tiers: queries.filter(({ query }) => query !== ''),
    rank: eitherOf([...exact, ...nearly, ...glued.map(joinedOf), ...words, ...forms]),
    marks,
  }
}

/** Readings of a text without a legal form as a name with an attached one: `texas` as Tex AS. */
export function namesWithJoinedForm({ joined, form }: FoldedName): { joined: string; form: string }[] {
  if (form !== null) return []
  return splitJoinedForm(joined).map(split => ({ joined: split.stem, form: split.form }))
}

const joinedOf = ({ joined }: { joined: string }) => joinedSign + truncateKey(joined)

/** Requires that form: `Texas` finds Tex AS, not Tex Ltd. */
const nameWithForm = (glued: { joined: string; form: string }) =>
  `(${both([joinedOf(glued), ...formWords(glued.form).map(word => formSign + word)].map(quoted))})`

export function domainOf(text: string): string | null {
  const reading = text.includes('.') ? readDomain(text) : null
  return reading?.ok ? reading.domain : null
}

const beginsWith = (lexeme: string) => `${quoted(lexeme)}:*`
const unsigned = (lexeme: string) => lexeme.slice(1)

/** A text with a legal form is a whole name, so names are not matched without it. */
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

/** Each tier has an eighth of the scale, from 1/8 up; rank decides within it. */
export function scoreOf(tier: number, rank: number): number {
  return Math.floor(((1 + tier + rank / (1 + rank)) / scoreShares) * scoreDecimals) / scoreDecimals
}
