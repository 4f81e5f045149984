/**
 * Case, accents, blanks and punctuation folded away: what names are compared by, of whatever script. What is folded is
 * a fixed point: folded again it stays as it is.
 */

/** Letters that are letters of their own where they are used, and are written without their stroke elsewhere. */
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
/** Letters with a dot behind each, standing by themselves: `p.l.c.`, `B.V.`, `S.A`. */
const initials = /(?<![\p{L}\p{N}.])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu
/** One letter each side, as in `A/S`; elsewhere a slash is punctuation. */
const slashedLetters = /(?<![\p{L}\p{N}/])(\p{L})\s*\/\s*(\p{L})(?![\p{L}\p{N}/])/gu
const slashKept = '\u{e000}'

/** The words of a text. `&` and symbols such as `+` tell names apart, and are no punctuation here. */
export function foldedWords(text: string): string[] {
  return isPlain(text) ? plainWords(text) : wordsOf(folded(text))
}

const englishLetters = /^[A-Za-z0-9 ]*$/

/** Most names are of English letters, digits and blanks, of which all that is below leaves the words in lower case. */
export const isPlain = (text: string): boolean => englishLetters.test(text)

/** The words of a text of English letters, digits and blanks. */
export const plainWords = (text: string): string[] => wordsOf(text.toLowerCase())

/** One word is the most frequent case of all, and one blank between words the next. */
function wordsOf(folded: string): string[] {
  if (folded === '') return []
  if (!folded.includes(' ')) return [folded]
  const words = folded.split(' ')
  return words.includes('') ? words.filter(word => word !== '') : words
}

function folded(text: string): string {
  return plain(plain(text))
    .replaceAll(initials, letters => letters.replaceAll('.', ''))
    .replaceAll(slashedLetters, `$1${slashKept}$2`)
    .replaceAll('&', ' & ')
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{S}&\u{e000}]+/gu, ' ')
    .replaceAll(slashKept, '/')
}

/** Accents of Latin, Greek and Cyrillic; the marks of other scripts are vowels and consonants, and stay. */
const accents = /[\u0300-\u036f]+/gu

/** Done twice, for what a capital lowers to can fold again. */
function plain(text: string): string {
  return text
    .replaceAll(apostrophes, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(plainLetter, letter => plainLetters[letter] as string)
}
