/**
 * Folds case, accents, blanks and punctuation of any script, so that names can be compared. Folding twice
 * gives the same text.
 */

/** Unicode normalisation does not decompose these letters. */
const plainLetters: Record<string, string> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

const apostrophes = /['’‘ʼ`´]/gu
/** Matches initials such as `p.l.c.`, `B.V.` and `S.A`. */
const initials = /(?<![\p{L}\p{N}.])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu
/** Matches `A/S`, because a slash between single letters is part of the word. */
const slashedLetters = /(?<![\p{L}\p{N}/])(\p{L})\s*\/\s*(\p{L})(?![\p{L}\p{N}/])/gu
const slashPlaceholder = '\u{e000}'

/** Splits a text into folded words. `&` and symbols such as `+` stay, because they distinguish names. */
export function foldedWords(text: string): string[] {
  return isPlain(text) ? plainWords(text) : wordsOf(folded(text))
}

const englishLetters = /^[A-Za-z0-9 ]*$/

/** Detects texts whose folding is lower-casing, which most names are. */
export const isPlain = (text: string): boolean => englishLetters.test(text)

export const plainWords = (text: string): string[] => wordsOf(text.toLowerCase())

function wordsOf(folded: string): string[] {
  if (folded === '') return []
  if (!folded.includes(' ')) return [folded]
  const words = folded.split(' ')
  return words.includes('') ? words.filter(word => word !== '') : words
}

/** Unicode decomposition leaves ASCII text unchanged. */
export const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

function folded(text: string): string {
  const isSimple = isAscii(text)
  let letters = isSimple
    ? text.replaceAll(apostrophes, '').toLowerCase()
    : plain(plain(text.replaceAll(slashPlaceholder, ' ')))
  if (letters.includes('.')) letters = letters.replaceAll(initials, found => found.replaceAll('.', ''))
  if (letters.includes('/')) letters = letters.replaceAll(slashedLetters, `$1${slashPlaceholder}$2`)
  if (letters.includes('&')) letters = letters.replaceAll('&', ' & ')
  return letters.replaceAll(isSimple ? asciiSeparators : separators, ' ').replaceAll(slashPlaceholder, '/')
}

const separators = /[^\p{L}\p{N}\p{M}\p{S}&\u{e000}]+/gu
/** Separates the words of ASCII text, several times as fast as the pattern for Unicode. */
const asciiSeparators = /[^a-z0-9$+<=>^|~&\u{e000}]+/gu

/**
 * Matches accents of Latin, Greek and Cyrillic. Combining marks of other scripts are vowels and consonants.
 */
const accents = /[\u0300-\u036f]+/gu

/** Lower-cases twice, because a lower-cased capital can be a letter that folds again. */
function plain(text: string): string {
  return text
    .replaceAll(apostrophes, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(plainLetter, letter => plainLetters[letter] as string)
}
