/**
 * Patterns for titles. A pattern is a sequence of whole words, compared without case and accents:
 *     chief … officer        `…`: up to four words
 *     (head|director) of     alternatives, each of one or more words
 *     geschaftsfuhr*         any ending; `*chef`: any non-empty beginning
 * A comma, dash or bracket may separate two words, but not within `…`.
 */
import { foldedWords } from '../../core/fold-text.ts'
import { hardBreak, softBreak } from './title-words.ts'

const letter = `[^ ${softBreak}\\${hardBreak}]`
const breakOrNone = `(?: ${softBreak})?`
const gapWordsMax = 4
const gap = `(?: ${letter}+){0,${gapWordsMax}}?`
const endOfWord = `(?!${letter})`

export const patternSource = (pattern: string): string => sourceOf(pattern, breakOrNone)

/** All words must be in one part of the title. */
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
  if (literal === '') throw new Error(`Pattern word ${JSON.stringify(word)} contains no letters.`)
  const escaped = literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const beginning = word.startsWith('*') ? `${letter}+` : ''
  const ending = word.endsWith('*') ? `${letter}*` : endOfWord
  return ` ${beginning}${escaped}${ending}`
}

export function anyOf(patterns: readonly string[], flags = ''): RegExp {
  const sources = patterns.map(patternSource).map(source => `(?:${source})`)
  return new RegExp(sources.length === 0 ? '(?!)' : `(?:${sources.join('|')})`, flags)
}
