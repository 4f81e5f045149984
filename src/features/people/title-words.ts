import { foldedWords } from '../../core/fold-text.ts'

/** Between two parts of a title that belong together: `Director, Marketing`, `VP - Payments`, `CPO (Chief Product Officer)`. */
export const softBreak = ','
/** Between two titles: `CEO | Founder`, `Head of Risk; MLRO`. */
export const hardBreak = '|'

/** As it is written in Sweden and Finland, too: `VD:s assistent`, `CEO:n sijainen`. */
const apostrophes = /['’‘ʼ`´]|(?<=\p{L}):(?=[sn]\s)/gu
/** Without their dots and case `Head of A.D.` and `VP IR` would say so. */
const outOfOffice = [
  [/(?<=\s|\()a\.\s?D\b\.?/gu, 'außer Dienst'],
  [/(?<=\s|\()i\.\s?R\b\.?/gu, 'im Ruhestand'],
] as const
const hardBreaks = /[|;•·∙●\n\r\t]|\s[/\\]\s/gu
const softBreaks = /[,:()[\]{}–—]|(?<=\s)-|-(?=\s)/gu
/** A slash, an ampersand and a plus join what is said in one breath. */
const joins = /[/\\&+]/gu
/** An abbreviation whose letters stand apart: `C E O`. */
const spacedLetters = /(?<!\S)\p{L}(?: \p{L}){2,}(?!\S)/gu
/** Behind these stands an employer, whose name may hold any word: `Sales at Payment Works`. */
const employerWords = new Set(['at', 'bei', 'chez', 'presso', 'hos', '@'])

/**
 * A title as its folded words, each behind a blank, with a sign where one part of it ends: ` ceo | head of payments`.
 * The employer is left out. Patterns (title-pattern.ts) read this.
 */
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
