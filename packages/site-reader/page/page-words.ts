/** Splits texts into words as rules compare them. */
import { foldText, isAscii } from '@baize/names'

/** Scripts without blanks. Each character is a word, and a phrase is a sequence of characters. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspaced = new RegExp(`([${scripts.map(script => `\\p{Script=${script}}`).join('')}]+)`, 'u')

/** Matches characters that unfold to as many as 18. */
export const ligatures = /[\u3300-\u33ff\ufdf0-\ufdff]/gu

export function pageWords(written: string): string[] {
  if (isAscii(written)) return foldText(written)
  const text = written.replaceAll(ligatures, ' ')
  if (!unspaced.test(text)) return foldText(text)
  // Each second part is text in a script without blanks, which has no case to fold.
  return text
    .normalize('NFKD')
    .split(unspaced)
    .flatMap((part, index) => (index % 2 === 1 ? [...part] : foldText(part)))
}
