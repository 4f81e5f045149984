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

/** Tells each written word, in their order: where it stands, and what it is folded. */
function eachWord(text: string, tell: (start: number, end: number, folded: readonly string[]) => void): void {
  if (!isPlain(text)) {
    for (const { 0: word, index } of text.matchAll(written)) tell(index, index + word.length, foldText(word))
    return
  }
  const lower = text.toLowerCase()
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] === ' ') continue
    const blank = text.indexOf(' ', start)
    const end = blank < 0 ? text.length : blank
    tell(start, end, [lower.slice(start, end)])
    start = end
  }
}

/**
 * A text with `<em>` around what bears what was asked, everything else HTML-escaped; null: none of it does. `bears` is asked of
 * each written word, in their order: one may be several words, folded. What only the text as a whole bears is marked whole.
 */
export function highlightWords(text: string, bears: (words: readonly string[]) => boolean): string | null {
  let shown = ''
  let told = 0
  eachWord(text, (start, end, folded) => {
    if (!bears(folded)) return
    shown += escaped(text.slice(told, start)) + emphasised(text.slice(start, end))
    told = end
  })
  if (told > 0) return shown + escaped(text.slice(told))
  // A plain text is its words, and each was asked.
  return !isPlain(text) && bears(foldText(text)) ? emphasised(text) : null
}

/** A text with `<em>` around its end, from the last written word on that ends it so. */
export function highlightEnd(text: string, isEnd: (end: string) => boolean): string | null {
  let last: number | null = null
  eachWord(text, start => {
    if (isEnd(text.slice(start))) last = start
  })
  return last === null ? null : escaped(text.slice(0, last)) + emphasised(text.slice(last))
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
