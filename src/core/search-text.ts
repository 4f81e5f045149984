/**
 * Text as search reads it, the same on both sides: what a document holds and what a customer asks. Case, accents and
 * punctuation are folded (fold-text.ts), a legal form at the end stands apart in one spelling (legal-name.ts).
 */
import { domainToUnicode } from 'node:url'
import { foldedWords, isPlain, plainWords } from './fold-text.ts'
import { splitLegalForm, splitUnfinishedForm } from './legal-name.ts'
import { splitVersion } from './license-number.ts'

export type FoldedName = {
  /** Without the legal form and without symbols. */
  words: readonly string[]
  /** The token of the legal form; null: there is none. */
  form: string | null
  /** The name as it is spelt, form included: equal for two spellings of it. */
  key: string
  /** Without blanks, symbols and form: `luckyotter`. */
  joined: string
}

const hasLetter = /[\p{L}\p{N}]/u

/** A text without any letter or digit is searched as it is: folding would leave nothing of it. */
export function foldName(text: string): FoldedName {
  if (isPlain(text)) return plainName(text)
  // Letters in a ring or in brackets are letters.
  if (!hasLetter.test(text) && !hasLetter.test(text.normalize('NFKD'))) return unfoldedName(text)
  const { stem, form } = splitLegalForm(foldedWords(text))
  const spelt = stem.map(inLetters)
  const words = spelt.flatMap(withoutSymbols)
  return {
    words,
    form,
    key: form === null ? spelt.join(' ') : [...spelt, form].join(' '),
    joined: words.join(''),
  }
}

/** Of letters, digits and blanks alone there are no symbols to be told apart. */
function plainName(text: string): FoldedName {
  const { stem: words, form } = splitLegalForm(plainWords(text))
  const spelt = words.join(' ')
  return { words, form, key: form === null ? spelt : `${spelt} ${form}`, joined: words.join('') }
}

/** The keys of the names that begin with a text which ends within their legal form: of `recro limi` that of Recro Ltd. */
export function keysOfUnfinishedForm(text: string): string[] {
  return splitUnfinishedForm(foldedWords(text)).map(({ stem, form }) =>
    [...stem.map(inLetters), form].join(' '),
  )
}

const inLetters = (word: string) => (word === '&' ? 'and' : word)

/** `bet+win` is searched as two words; a word of symbols alone stays one. */
function withoutSymbols(word: string): string[] {
  const words = word.split(/\p{S}+/u).filter(part => part !== '')
  return words.length === 0 ? [word] : words
}

/** The words of a text that is nobody's name: a type of license, a place. */
export function foldText(text: string): string[] {
  if (isPlain(text)) return plainWords(text)
  return foldedWords(text).map(inLetters).flatMap(withoutSymbols)
}

/** The words of the legal form that a text is, in one spelling: `Pvt. Limited` is `pvt ltd`. None: it is something else. */
export function foldForm(text: string): string[] {
  const { stem, form } = splitLegalForm(['', ...foldedWords(text)])
  return stem.length === 1 ? formWords(form) : []
}

export const formWords = (form: string | null): string[] => form?.split(' ') ?? []

function unfoldedName(text: string): FoldedName {
  const kept = text
    .normalize('NFKC')
    .replaceAll(/\p{C}+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return {
    words: kept === '' ? [] : kept.split(' '),
    form: null,
    key: kept,
    joined: kept.replaceAll(' ', ''),
  }
}

/** What a registrable domain is called: `red-kite.co.uk` is `red kite`, and `redkite` where it is joined. */
export function foldDomain(domain: string): FoldedName {
  const label = domain.split('.', 1)[0] as string
  return foldName(domainToUnicode(label) || label)
}

/** A value of a filter that takes any case and accents: the name of a payment method, a supplier, a platform. */
export function foldValue(value: string): string {
  const words = foldedWords(value)
  return truncateKey(words.length === 0 ? unfoldedName(value).key : words.join(' '))
}

/** `MGA/B2C/183/2010` and `mga b2c 183 2010` are one number: letters and digits alone tell numbers apart. */
export function foldNumber(number: string): string {
  return foldedWords(number)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** The number of a UKGC licence without its version counter, folded; null: it has none. */
export function foldNumberWithoutVersion(number: string): string | null {
  const split = splitVersion(number)
  return split === null ? null : foldNumber(split.number)
}

/** Below what PostgreSQL takes in a lexeme (2,046 bytes) and in an entry of an index (2,704). */
const keyBytesMax = 1_000

/** The same beginning of a longer text on both sides, so that it is still found by it. */
export function truncateKey(text: string, bytesMax = keyBytesMax): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text
  const bytes = Buffer.from(text).subarray(0, bytesMax)
  // A character that was cut in two reads as one that is no letter.
  return bytes.toString().replace(/\ufffd+$/u, '')
}
