/**
 * How titles are described. A pattern is words in their order:
 *
 *     chief … officer        `…`: up to four words between
 *     (head|director) of     either; each may be several words
 *     geschaftsfuhr*         any ending; `*chef`: any beginning, which is not empty
 *
 * Words are whole words, compared without case and accents. A comma, dash or bracket may stand between two words, but
 * not among those that `…` stands for.
 */
import { foldedWords } from '../../core/fold-text.ts'
import { hardBreak, softBreak } from './title-words.ts'

const letter = `[^ ${softBreak}\\${hardBreak}]`
const breakOrNone = `(?: ${softBreak})?`
const gapWordsMax = 4
const gap = `(?: ${letter}+){0,${gapWordsMax}}?`
const endOfWord = `(?!${letter})`

/** The source of a regular expression over what `titleWords` makes of a title. */
export const patternSource = (pattern: string): string => sourceOf(pattern, breakOrNone)

/** Likewise, of words that stand in one part of it: nothing stands between them. */
export const sourceWithinPart = (pattern: string): string => sourceOf(pattern, '')

function sourceOf(pattern: string, between: string): string {
  const elements = pattern.match(/\([^)]*\)|\S+/g) ?? []
  let source = ''
  let gapBefore = true
  for (const element of elements) {
    if (element === '…') {
      source += between + gap
      gapBefore = true
      continue
    }
    if (!gapBefore) source += between
    source += element.startsWith('(') ? alternatives(element, between) : wordSource(element)
    gapBefore = false
  }
  return source
}

function alternatives(group: string, between: string): string {
  const sources = group
    .slice(1, -1)
    .split('|')
    .map(pattern => sourceOf(pattern, between))
  return `(?:${sources.join('|')})`
}

function wordSource(word: string): string {
  const literal = foldedWords(word.replaceAll('*', '')).join(' ')
  if (literal === '') throw new Error(`the pattern word ${JSON.stringify(word)} folds to nothing`)
  const escaped = literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return ` ${word.startsWith('*') ? `${letter}+` : ''}${escaped}${word.endsWith('*') ? `${letter}*` : endOfWord}`
}

/** One expression for all of them. */
export function anyOf(patterns: readonly string[], flags = ''): RegExp {
  const sources = patterns.map(patternSource).map(source => `(?:${source})`)
  return new RegExp(sources.length === 0 ? '(?!)' : `(?:${sources.join('|')})`, flags)
}
