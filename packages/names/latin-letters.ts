import anyAscii from 'any-ascii'

/** Alphabets whose letters have usual spellings in Latin letters. Other scripts are compared as they are. */
const otherLetters = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]+/gu
const otherLetter = new RegExp(otherLetters.source, 'u')

export const hasOtherLetters = (text: string): boolean => otherLetter.test(text.normalize('NFKC'))

/** Spells Cyrillic, Greek, Armenian and Georgian letters in Latin ones: `Рога` → `Roga`. */
export const inLatinLetters = (text: string): string =>
  text.normalize('NFKC').replaceAll(otherLetters, letters => anyAscii(letters))
