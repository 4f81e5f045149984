/** What a customer typed, as questions to the documents (document.ts): who is called so, who begins so, who bears the words. */
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

/**
 * How a row bears a text, the best first. Rows of a better tier stand before all others; text beats what is only like it,
 * which is asked for where no text is found.
 */
export const tiers = {
  /** Called so, legal form included; a license of that number. */
  name: 6,
  /** Called so, but for the legal form and blanks. */
  nearlyName: 5,
  beginning: 4,
  words: 3,
  /** Called so, but for typing errors. */
  similarName: 2,
  misspelt: 1,
  /** Longer words that contain those of the text. */
  parts: 0,
} as const

export type Tier = (typeof tiers)[keyof typeof tiers]

/** Words and names that bear the text, for highlighting. */
export type Marks = {
  words: ReadonlySet<string>
  /** A legal form, where the text is nothing else: its words. */
  form: readonly string[]
  /** Names that begin so bear the text; null: none does for that. */
  beginning: FoldedName | null
  /** Whole names, joined. */
  names: ReadonlySet<string>
  /** Keys of whole names that go on within their legal form. */
  begun: ReadonlySet<string>
  /** Folded license numbers, whole or their beginnings. */
  numbers: readonly string[]
  /** The text, read as a domain. */
  domain: string | null
}

export type TextQuery = {
  /** A tsquery for each tier, the best first; a row is of the first that it matches. */
  tiers: readonly { tier: Tier; query: string }[]
  /** The tsquery that rows of a tier are ranked by: beginnings are left out, which rank alike and cost most. */
  rank: string
  marks: Marks
}

const either = (queries: readonly string[]) => queries.join(' | ')
export const both = (queries: readonly string[]) => queries.map(query => `(${query})`).join(' & ')
export const eitherOf = (lexemes: readonly string[]) => either(lexemes.map(quoted))

/** The words of a text, or those of the form that it is. */
const allOfEither = (words: readonly string[], forms: readonly string[]) =>
  either([words, forms].filter(lexemes => lexemes.length > 0).map(lexemes => both(lexemes.map(quoted))))

/** null: nothing of the text can be searched, so it finds nothing. */
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
  const glued = gluedNames(name)
  const begun = name.form === null ? keysOfUnfinishedForm(text).map(key => truncateKey(key)) : []
  const asked = [
    { tier: tiers.name, query: eitherOf(exact) },
    { tier: tiers.nearlyName, query: either([eitherOf(nearly), ...glued.map(called)]) },
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
    tiers: asked.filter(({ query }) => query !== ''),
    rank: eitherOf([...exact, ...nearly, ...glued.map(joinedOf), ...words, ...forms]),
    marks,
  }
}

/** What a text without a legal form names if one is written on to its end. */
export function gluedNames({ joined, form }: FoldedName): { joined: string; form: string }[] {
  if (form !== null) return []
  return splitJoinedForm(joined).map(split => ({ joined: split.stem, form: split.form }))
}

const joinedOf = ({ joined }: { joined: string }) => joinedSign + truncateKey(joined)

/** That form is asked for with it, so that `Texas` finds Tex AS, and no Tex Ltd. */
const called = (glued: { joined: string; form: string }) =>
  `(${both([joinedOf(glued), ...formWords(glued.form).map(word => formSign + word)].map(quoted))})`

/** A text that is a domain, with or without what stands around it in a URL. */
export function domainOf(text: string): string | null {
  const reading = text.includes('.') ? readDomain(text) : null
  return reading?.ok ? reading.domain : null
}

const beginsWith = (lexeme: string) => `${quoted(lexeme)}:*`
const unsigned = (lexeme: string) => lexeme.slice(1)

/** A legal form ends a name: what begins so is told with it. */
function beginnings(
  { form }: FoldedName,
  spelt: string,
  joined: string,
  numbers: readonly string[],
): string[] {
  return [spelt, ...(form === null ? [joined] : []), ...numbers]
}

/** With any version counter, where the number has one, and where it was left out. */
function numbersOf(text: string): string[] {
  const number = foldNumber(text)
  if (number === '') return []
  const versionless = foldNumberWithoutVersion(text) ?? number
  return [numberSign + truncateKey(number), versionlessSign + truncateKey(versionless)]
}

/** Everything that any tier matches. */
export function anyTier({ tiers: asked }: TextQuery): string {
  return either(asked.map(({ query }) => `(${query})`))
}

const scoreShares = Object.keys(tiers).length + 1
const scoreDecimals = 10_000

/** Falls with the order of the rows: a tier has its eighth, the lowest the second, and rank moves within it. 0 is no row's. */
export function scoreOf(tier: number, rank: number): number {
  return Math.floor(((1 + tier + rank / (1 + rank)) / scoreShares) * scoreDecimals) / scoreDecimals
}
