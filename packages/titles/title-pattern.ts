/**
 * Compiles patterns for titles: sequences of whole words, compared without case and accents. The README
 * explains the syntax.
 */
import { foldedWords } from '@baize/names'
import { hardBreak, softBreak } from './title-words.ts'

const letter = `[^ ${softBreak}\\${hardBreak}]`
const breakOrNone = `(?: ${softBreak})?`
const gapWordsMax = 4
const gap = `(?: ${letter}+){0,${gapWordsMax}}?`
const endOfWord = `(?!${letter})`

const patternSource = (pattern: string): string => sourceOf(pattern, breakOrNone)

/** Compiles a pattern whose words must all be in one part of the title. */
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
