import { foldText } from '../../../core/search-text.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, character => escapes[character] as string)

export const emphasised = (text: string): string => `<em>${escaped(text)}</em>`

/** A word as it is written; dots, slashes and apostrophes within belong to it (`B.V`, `O'Neill`). Or symbols alone. */
const written = /[\p{L}\p{N}\p{M}]+(?:[.'’/][\p{L}\p{N}\p{M}]+)*|[\p{S}&]+/gu

/**
 * A text with `<em>` around what bears what was asked, everything else HTML-escaped; null: none of it does. `bears` is asked of
 * each written word, in their order: one may be several words, folded. What only the text as a whole bears is marked whole.
 */
export function highlightWords(text: string, bears: (words: readonly string[]) => boolean): string | null {
  let shown = ''
  let end = 0
  let any = false
  for (const match of text.matchAll(written)) {
    const [word] = match
    if (!bears(foldText(word))) continue
    shown += escaped(text.slice(end, match.index)) + emphasised(word)
    end = match.index + word.length
    any = true
  }
  if (any) return shown + escaped(text.slice(end))
  return bears(foldText(text)) ? emphasised(text) : null
}

/** A text with `<em>` around its end, from the last written word on that ends it so. */
export function highlightEnd(text: string, isEnd: (end: string) => boolean): string | null {
  const places = [...text.matchAll(written)].map(({ index }) => index)
  const start = places.findLast(index => isEnd(text.slice(index)))
  return start === undefined ? null : escaped(text.slice(0, start)) + emphasised(text.slice(start))
}
