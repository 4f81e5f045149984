/** Splits a text into folded words with their positions. */
import { foldedWords } from '@baize/names'

export type PlacedWord = { word: string; start: number; end: number }
export type Place = { start: number; end: number }

/** Splits a sentence into words. Apostrophes separate words, because articles end in them: `dell'Agenzia`. */
export const wordsOfSentence = (text: string): string[] => wordsWithPlaces(text).map(({ word }) => word)

/**
 * Scripts without blanks, where each character is a word. Latin and Hangul words end where the other script
 * begins.
 */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer']
  .map(script => String.raw`\p{Script=${script}}`)
  .join('')
const signs = String.raw`\s()[\]„“”«»"'’‘ʼ\x60´（）「」『』：；、。，`
const written = new RegExp(
  String.raw`[${unspaced}]|[\p{Script=Hangul}]+|[^${signs}${unspaced}\p{Script=Hangul}]+`,
  'gu',
)

/**
 * Returns words with positions. A written word such as `Kahnawà:ke` can fold to several, which share its
 * position.
 */
export function wordsWithPlaces(text: string): PlacedWord[] {
  return [...text.matchAll(written)].flatMap(({ 0: found, index: start }) =>
    foldedWords(found).map(word => ({ word, start, end: start + found.length })),
  )
}

export function findPhrases(words: readonly PlacedWord[], phrase: readonly string[]): Place[] {
  return words.flatMap((_word, at) => placeOfPhrase(words, phrase, at) ?? [])
}

/** Returns null if the phrase does not begin at this word. */
export function placeOfPhrase(
  words: readonly PlacedWord[],
  phrase: readonly string[],
  at: number,
): Place | null {
  const [first, last] = [words[at], words[at + phrase.length - 1]]
  if (first === undefined || last === undefined) return null
  if (!phrase.every((word, index) => words[at + index]?.word === word)) return null
  return { start: first.start, end: last.end }
}
