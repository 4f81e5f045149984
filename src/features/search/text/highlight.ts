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
const written = /[\p{L}\p{N}\p{M}]+(?:[.'’/][\p{L}\p{N}\p{M}]+)*|\p{S}+/gu

/**
 * A text with `<em>` around the words that bear what was asked, everything else HTML-escaped; null: none of them does.
 */
export function highlightWords(text: string, bears: (word: string) => boolean): string | null {
  let shown = ''
  let end = 0
  let any = false
  for (const match of text.matchAll(written)) {
    const [word] = match
    if (!foldText(word).some(bears)) continue
    shown += escaped(text.slice(end, match.index)) + emphasised(word)
    end = match.index + word.length
    any = true
  }
  return any ? shown + escaped(text.slice(end)) : null
}
