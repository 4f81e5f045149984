/** Recognises names of the site, by its domain, in texts. */
import { foldedWords } from '@baize/names'
import { textCharactersMax } from './find-numbers.ts'

/**
 * Checks whether the text names the site: `Lucky Otter` for luckyotter.com, or words such as "this
 * website".
 */
export function namesSite(text: string, domain: string): boolean {
  const label = (domain.split('.')[0] as string).replaceAll('-', '')
  const words = foldedWords(text.slice(0, textCharactersMax))
  return (
    words.join('').includes(label) ||
    beginsLabel(words, label) ||
    /\b(?:this|our|the) (?:web ?)?site\b/i.test(text)
  )
}

/** Checks whether the words begin the domain's label: `Slot Scout` for slotscoutreviews.com. */
function beginsLabel(words: readonly string[], label: string): boolean {
  return words.some((_word, at) => {
    let joined = ''
    let count = 0
    for (const word of words.slice(at, at + nameWordsMax)) {
      if (!label.startsWith(joined + word)) break
      joined += word
      count += 1
    }
    return count > 1 && joined.length * 2 >= label.length
  })
}
const nameWordsMax = 6
