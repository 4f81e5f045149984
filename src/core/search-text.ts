/** Normalises documents and queries: folded (fold-text.ts), legal form apart (legal-name.ts). */
import { domainToUnicode } from 'node:url'
import { foldedWords, isAscii, isPlain, plainWords } from './fold-text.ts'
import { splitLegalForm, splitUnfinishedForm } from './legal-name.ts'
import { splitVersion } from './license-number.ts'

export type FoldedName = {
  /** Without the legal form and without symbols. */
  words: readonly string[]
  /** The legal form's token; null: none. */
  form: string | null
  /** The whole name, form included: equal for all spellings. */
  key: string
  /** Without blanks, symbols and form: `luckyotter`. */
  joined: string
}

const hasLetter = /[\p{L}\p{N}]/u

/** Folds a name. One without letters and digits is left as it is. */
export function foldName(text: string): FoldedName {
  if (isPlain(text)) return plainName(text)
  // NFKD turns circled and bracketed letters into letters.
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

function plainName(text: string): FoldedName {
  const { stem: words, form } = splitLegalForm(plainWords(text))
  const spelt = words.join(' ')
  return { words, form, key: form === null ? spelt : `${spelt} ${form}`, joined: words.join('') }
}

/** The keys that a text may grow into if it ends within a legal form: `recro limi` → Recro Ltd. */
export function keysOfUnfinishedForm(text: string): string[] {
  return splitUnfinishedForm(foldedWords(text)).map(({ stem, form }) =>
    [...stem.map(inLetters), form].join(' '),
  )
}

const inLetters = (word: string) => (word === '&' ? 'and' : word)

/** `bet+win` is two words; a word of symbols only is one. */
function withoutSymbols(word: string): string[] {
  const words = word.split(/\p{S}+/u).filter(part => part !== '')
  return words.length === 0 ? [word] : words
}

/** The words of a text that is not a name: a type of license, a place. */
export function foldText(text: string): string[] {
  if (isPlain(text)) return plainWords(text)
  const words = foldedWords(text)
  return isAscii(text) && !/[$+<=>^|~&]/.test(text) ? words : words.map(inLetters).flatMap(withoutSymbols)
}

/** `Pvt. Limited` → `pvt ltd`; empty if the text is not a legal form. */
export function foldForm(text: string): string[] {
  const { stem, form } = splitLegalForm(['', ...foldedWords(text)])
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

/** The name in a domain: `red-kite.co.uk` → `red kite`. */
export function foldDomain(domain: string): FoldedName {
  const label = domain.split('.', 1)[0] as string
  return foldName(domainToUnicode(label) || label)
}

/** A filter value that ignores case and accents: the name of a payment method, a supplier, a platform. */
export function foldValue(value: string): string {
  const words = foldedWords(value)
  return truncateKey(words.length === 0 ? unfoldedName(value).key : words.join(' '))
}

/** Letters and digits only: `MGA/B2C/183/2010` and `mga b2c 183 2010` are one number. */
export function foldNumber(number: string): string {
  return foldedWords(number)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** null: the number has no version counter. */
export function foldNumberWithoutVersion(number: string): string | null {
  const split = splitVersion(number)
  return split === null ? null : foldNumber(split.number)
}

/** PostgreSQL's limits are 2,046 bytes for a lexeme and 2,704 for an index entry. */
const keyBytesMax = 1_000

/** Cuts documents and queries alike, so that a long text is still found. */
export function truncateKey(text: string, bytesMax = keyBytesMax): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text
  const bytes = Buffer.from(text).subarray(0, bytesMax)
  return bytes.toString().replace(/\ufffd+$/u, '')
}
