import { isPlain } from '../../../core/fold-text.ts'
import { foldText } from '../../../core/search-text.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const needsEscape = /[&<>"']/

export const escaped = (text: string): string =>
  needsEscape.test(text) ? text.replaceAll(/[&<>"']/g, character => escapes[character] as string) : text

export const emphasised = (text: string): string => `<em>${escaped(text)}</em>`

/** A word as it is written; dots, slashes and apostrophes within belong to it (`B.V`, `O'Neill`). Or symbols alone. */
const written = /[\p{L}\p{N}\p{M}]+(?:[.'’/][\p{L}\p{N}\p{M}]+)*|[\p{S}&]+/gu

type Written = { word: string; index: number; folded: readonly string[] }

function writtenWords(text: string): Written[] {
  if (!isPlain(text))
    return Array.from(text.matchAll(written), ({ 0: word, index }) => ({
      word,
      index,
      folded: foldText(word),
    }))
  const lower = text.toLowerCase()
  const words: Written[] = []
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === ' ') continue
    const blank = text.indexOf(' ', index)
    const end = blank < 0 ? text.length : blank
    words.push({ word: text.slice(index, end), index, folded: [lower.slice(index, end)] })
    index = end
  }
  return words
}

/**
 * A text with `<em>` around what bears what was asked, everything else HTML-escaped; null: none of it does. `bears` is asked of
 * each written word, in their order: one may be several words, folded. What only the text as a whole bears is marked whole.
 */
export function highlightWords(text: string, bears: (words: readonly string[]) => boolean): string | null {
  let shown = ''
  let end = 0
  let any = false
  for (const { word, index, folded } of writtenWords(text)) {
    if (!bears(folded)) continue
    shown += escaped(text.slice(end, index)) + emphasised(word)
    end = index + word.length
    any = true
  }
  if (any) return shown + escaped(text.slice(end))
  return bears(foldText(text)) ? emphasised(text) : null
}

/** A text with `<em>` around its end, from the last written word on that ends it so. */
export function highlightEnd(text: string, isEnd: (end: string) => boolean): string | null {
  const start = writtenWords(text).findLast(({ index }) => isEnd(text.slice(index)))?.index
  return start === undefined ? null : escaped(text.slice(0, start)) + emphasised(text.slice(start))
}

const mark = '<em>'
const unmark = '</em>'

/** How many characters of a highlighted text are marked. */
export function markedCharacters(shown: string): number {
  let characters = 0
  for (let at = shown.indexOf(mark); at >= 0; ) {
    const end = shown.indexOf(unmark, at)
    characters += end - at - mark.length
    at = shown.indexOf(mark, end)
  }
  return characters
}
