/** The words of texts as rules compare them. */
import { isAscii } from '../../../core/fold-text.ts'
import { foldText } from '../../../core/search-text.ts'

/** Scripts that are written without blanks: each character is a word, and a phrase is a row of them. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspaced = new RegExp(`([${scripts.map(script => `\\p{Script=${script}}`).join('')}]+)`, 'u')

/** One character that unfolds to as many as 18. */
export const ligatures = /[\u3300-\u33ff\ufdf0-\ufdff]/gu

export function pageWords(written: string): string[] {
  if (isAscii(written)) return foldText(written)
  const text = written.replaceAll(ligatures, ' ')
  if (!unspaced.test(text)) return foldText(text)
  // Each second part is a row of such characters, which have no case to fold.
  return text
    .normalize('NFKD')
    .split(unspaced)
    .flatMap((part, index) => (index % 2 === 1 ? [...part] : foldText(part)))
}
