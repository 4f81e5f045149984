import { foldSearchText, isPlain } from '@baize/names'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const needsEscape = /[&<>"']/

export const escapeMarkup = (text: string): string =>
  needsEscape.test(text) ? text.replaceAll(/[&<>"']/g, character => escapes[character] as string) : text

export const emphasised = (text: string): string => `<em>${escapeMarkup(text)}</em>`

/** Matches a written word with the dots, slashes and apostrophes inside it (`B.V`, `O'Neill`), or symbols. */
const written = /[\p{L}\p{N}\p{M}]+(?:[.'’/][\p{L}\p{N}\p{M}]+)*|[\p{S}&]+/gu

type VisitWord = (start: number, end: number, folded: readonly string[]) => void

function eachWord(text: string, visit: VisitWord): void {
  if (!isPlain(text)) {
    for (const { 0: word, index } of text.matchAll(written))
      visit(index, index + word.length, foldSearchText(word))
    return
  }
  const lower = text.toLowerCase()
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] === ' ') continue
    const blank = text.indexOf(' ', start)
    const end = blank < 0 ? text.length : blank
    visit(start, end, [lower.slice(start, end)])
    start = end
  }
}

/**
 * Marks the words whose folded form satisfies `matches`, or else the whole text if it does. The rest is
 * HTML-escaped. Returns null if nothing matches.
 */
export function highlightWords(text: string, matches: (words: readonly string[]) => boolean): string | null {
  let shown = ''
  let shownTo = 0
  eachWord(text, (start, end, folded) => {
    if (!matches(folded)) return
    shown += escapeMarkup(text.slice(shownTo, start)) + emphasised(text.slice(start, end))
    shownTo = end
  })
  if (shownTo > 0) return shown + escapeMarkup(text.slice(shownTo))
  return !isPlain(text) && matches(foldSearchText(text)) ? emphasised(text) : null
}

/**
 * Wraps the end of the text in `<em>`, from the last word that satisfies `isEnd`. Returns null without one.
 */
export function highlightEnd(text: string, isEnd: (end: string) => boolean): string | null {
  let last: number | null = null
  eachWord(text, start => {
    if (isEnd(text.slice(start))) last = start
  })
  return last === null ? null : escapeMarkup(text.slice(0, last)) + emphasised(text.slice(last))
}

const mark = '<em>'
const unmark = '</em>'

export function markedCharacters(shown: string): number {
  let characters = 0
  for (let at = shown.indexOf(mark); at >= 0; ) {
    const end = shown.indexOf(unmark, at)
    characters += end - at - mark.length
    at = shown.indexOf(mark, end)
  }
  return characters
}
