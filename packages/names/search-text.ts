/** Normalises stored names and queries: fold-text.ts folds them, legal-name.ts splits off the legal form. */
import { domainToUnicode } from 'node:url'
import { foldedWords, isAscii, isPlain, plainWords } from './fold-text.ts'
import { hasOtherLetters, inLatinLetters } from './latin-letters.ts'
import { splitUnfinishedForm } from './legal-name.ts'
import { splitVersion } from './license-number.ts'
import {
  type FrontSplit,
  type SpeltWords,
  type SplitName,
  splitFormBehind,
  splitFormInFront,
} from './search-forms.ts'

export type FoldedName = {
  /** The words of the name without its legal form and without symbols. */
  words: readonly string[]
  /** The token of the legal form; null if the name has none. */
  form: string | null
  /** The whole folded name with its form; equal for all spellings. */
  key: string
  /** The name without blanks, symbols and form, such as `luckyotter`. */
  joined: string
}

const letterOrDigit = /[\p{L}\p{N}]/u

/** Folds a name, in Latin letters. A name without letters and digits stays as it is. */
export function foldName(text: string): FoldedName {
  return isUnfolded(text) ? unfoldedName(text) : namedBy(splitFormBehind(speltWords(text)))
}

/** NFKD turns circled and bracketed letters into letters. */
const isUnfolded = (text: string) =>
  !isPlain(text) && !letterOrDigit.test(text) && !letterOrDigit.test(text.normalize('NFKD'))

/** A name whose legal form is in front: `SIA Otter` as Otter SIA. */
export type FrontName = FoldedName & Pick<FrontSplit, 'form' | 'isSure'>

/** Folds a typed name with a legal form in front; null if it has none there, or one behind. */
export function foldFrontName(text: string): FrontName | null {
  const words = speltWords(text)
  const split = splitFormBehind(words).form === null ? splitFormInFront(words, true) : null
  return split && { ...namedBy(split), form: split.form, isSure: split.isSure }
}

/** Returns the readings of a stored name: as written, and with a usual form in front as if behind. */
export function readingsOfName(text: string): [FoldedName, ...FoldedName[]] {
  if (isUnfolded(text)) return [unfoldedName(text)]
  const words = speltWords(text)
  const asWritten = splitFormBehind(words)
  const front = asWritten.form === null ? splitFormInFront(words, false) : null
  return front === null ? [namedBy(asWritten)] : [namedBy(asWritten), namedBy(front)]
}

function namedBy({ stem, form }: SplitName): FoldedName {
  const spelt = stem.includes('&') ? stem.map(inLetters) : stem
  const words = spelt.every(isPlain) ? spelt : spelt.flatMap(withoutSymbols)
  const key = spelt.join(' ')
  return { words, form, key: form === null ? key : `${key} ${form}`, joined: words.join('') }
}

function speltWords(text: string): SpeltWords {
  const written = foldedWords(text)
  if (!hasOtherLetters(text)) return { written, latin: written }
  const latin = foldedWords(inLatinLetters(text))
  return { written: latin.length === written.length ? written : latin, latin }
}

/** Returns the keys of names that complete the text's unfinished legal form: `recro limi` → Recro Ltd. */
export function keysOfUnfinishedForm(text: string): string[] {
  return splitUnfinishedForm(speltWords(text).latin).map(({ stem, form }) =>
    [...stem.map(inLetters), form].join(' '),
  )
}

const inLetters = (word: string) => (word === '&' ? 'and' : word)

/** Splits at symbols: `bet+win` is two words. A word of symbols only stays whole. */
function withoutSymbols(word: string): string[] {
  const words = word.split(/\p{S}+/u).filter(part => part !== '')
  return words.length === 0 ? [word] : words
}

/** Folds a text that is not a name, such as a type of license or a place, into words. */
export function foldText(text: string): string[] {
  if (isPlain(text)) return plainWords(text)
  const words = foldedWords(text)
  return isAscii(text) && !/[$+<=>^|~&]/.test(text) ? words : words.map(inLetters).flatMap(withoutSymbols)
}

/** Folds a text as `foldText`, in Latin letters. */
export const foldSearchText = (text: string): string[] =>
  foldText(hasOtherLetters(text) ? inLatinLetters(text) : text)

/** Folds a legal form: `Pvt. Limited` → `pvt ltd`. The result is empty if the text is not a legal form. */
export function foldForm(text: string): string[] {
  const { written, latin } = speltWords(text)
  const { stem, form } = splitFormBehind({ written: ['', ...written], latin: ['', ...latin] })
  return stem.length === 1 ? formWords(form) : []
}

export const formWords = (form: string | null): string[] => form?.split(' ') ?? []

function unfoldedName(text: string): FoldedName {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{C}+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return {
    words: plain === '' ? [] : plain.split(' '),
    form: null,
    key: plain,
    joined: plain.replaceAll(' ', ''),
  }
}

/** Folds the name in a domain: `red-kite.co.uk` → `red kite`. */
export function foldDomain(domain: string): FoldedName {
  const label = domain.split('.', 1)[0] as string
  return foldName(domainToUnicode(label) || label)
}

/** Folds case and accents of a filter value: the name of a payment method, a supplier or a platform. */
export function foldValue(value: string): string {
  const words = foldedWords(value)
  return truncateKey(words.length === 0 ? unfoldedName(value).key : words.join(' '))
}

/** Reduces a number to letters and digits: `MGA/B2C/183/2010` and `mga b2c 183 2010` are one number. */
export function foldNumber(number: string): string {
  return foldedWords(number)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Returns null if the number has no version counter. */
export function foldNumberWithoutVersion(number: string): string | null {
  const split = splitVersion(number)
  return split === null ? null : foldNumber(split.number)
}

/** PostgreSQL limits a lexeme to 2,046 bytes and an index entry to 2,704. */
const keyBytesMax = 1_000

/** Cuts stored keys and queries at the same byte, so that a long text is still found. */
export function truncateKey(text: string, bytesMax = keyBytesMax): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text
  const bytes = Buffer.from(text).subarray(0, bytesMax)
  return bytes.toString().replace(/\ufffd+$/u, '')
}
