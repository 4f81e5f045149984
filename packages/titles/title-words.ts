import { foldedWords } from '@baize/names'

/** Separates parts of one title: `Director, Marketing`, `VP - Payments`, `CPO (Chief Product Officer)`. */
export const softBreak = ','
/** Separates two titles: `CEO | Founder`, `Head of Risk; MLRO`. */
export const hardBreak = '|'

/** Matches apostrophes and the Swedish and Finnish colon, as in `VD:s assistent`. */
const apostrophes = /['’‘ʼ`´]|(?<=\p{L}):(?=[sn]\s)/gu
/**
 * Matches abbreviations for retired people by dots and case, because `Head of AD` and `VP IR` are in
 * office.
 */
const outOfOffice = [
  [/(?<=\s|\()a\.\s?D\b\.?/gu, 'außer Dienst'],
  [/(?<=\s|\()i\.\s?R\b\.?/gu, 'im Ruhestand'],
] as const
const hardBreaks = /[|;•·∙●\n\r\t]|\s[/\\]\s/gu
const softBreaks = /[,:()[\]{}–—]|(?<=\s)-|-(?=\s)/gu
const joins = /[/\\&+]/gu
const spacedLetters = /(?<!\S)\p{L}(?: \p{L}){2,}(?!\S)/gu
/** Words that precede an employer, whose name may contain any word: `Sales at Payment Works`. */
const employerWords = new Set(['at', 'bei', 'chez', 'presso', 'hos', '@'])

/** Returns the folded words without the employer, each after a space: ` ceo | head of payments`. */
export function titleWords(title: string): string {
  const marked = outOfOffice
    .reduce((text, [letters, words]) => text.replaceAll(letters, words), title)
    .replaceAll(apostrophes, ' ')
    .replaceAll('@', '\u{e001} at ')
    .replaceAll(hardBreaks, '\u{e001}')
    .replaceAll(softBreaks, '\u{e002}')
    .replaceAll(joins, ' and ')
  let text = ''
  for (const [, sign = '', part = ''] of marked.matchAll(/([\u{e001}\u{e002}]?)([^\u{e001}\u{e002}]*)/gu)) {
    if (sign !== '') text += ` ${sign === '\u{e001}' ? hardBreak : softBreak}`
    const joined = foldedWords(part)
      .join(' ')
      .replaceAll(spacedLetters, letters => letters.replaceAll(' ', ''))
    for (const word of joined.split(' ').filter(each => each !== '')) {
      if (employerWords.has(word)) break
      text += ` ${word}`
    }
  }
  return text
}
