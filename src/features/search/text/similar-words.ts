/** Finds stored words that a word may misspell, without reading data. words-store.ts looks up pieces. */
import { editDistance } from '@baize/names'
import { isCompared } from '../rows/document.ts'

// A test compares numbers here with those in docs/search.md.

/** The most words of a text that is compared; longer texts are sentences. */
export const comparedWordsMax = 16
export const misspellingsMax = 100
/** The most words of one length with the same beginning or end that are compared. */
export const candidatesMax = 1_000
/** The most longer words that begin with a word, and as many that contain it, the shortest first. */
export const longerFormsMax = 100
/** The most words that are read to find those that contain a word. */
export const partsScannedMax = 10_000
/** The most similar names. Rows with other names are found by their words, and rank lower. */
export const namesMax = 200

const oneErrorCharactersMin = 4
const twoErrorsCharactersMin = 9
const beginningCharactersMin = 3
const partCharactersMin = 4
/** The shortest part of digits, and of scripts without blanks: two characters have no trigram to look up. */
const densePartCharactersMin = 3
const dense =
  /^(?:\p{N}+|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)$/u
const splitCharactersMin = 2

export function errorsAllowed(word: string): number {
  const { length } = [...word]
  return length >= twoErrorsCharactersMin ? 2 : length >= oneErrorCharactersMin ? 1 : 0
}

export type WordPiece = {
  where: 'beginning' | 'end' | 'part'
  text: string
  lengthMin: number
  lengthMax: number
}

/**
 * Splits a word into pieces, of which one at least is unchanged within the allowed errors. An error changes
 * at most two neighbouring characters, and a character separates the pieces.
 */
export function piecesOf(word: string): WordPiece[] {
  const letters = [...word]
  const errors = errorsAllowed(word)
  if (errors === 0) return []
  const lengthMin = Math.max(oneErrorCharactersMin, letters.length - errors)
  const lengths = { lengthMin, lengthMax: letters.length + errors }
  const whole = letters.length - errors
  const outer = Math.floor(whole / (errors + 1))
  const beginning = letters.slice(0, outer).join('')
  const end = letters.slice(letters.length - (errors === 1 ? whole - outer : outer)).join('')
  const pieces: WordPiece[] = [
    { where: 'beginning', text: beginning, ...lengths },
    { where: 'end', text: end, ...lengths },
  ]
  if (errors === 2) {
    const part = letters.slice(outer + 1, letters.length - outer - 1).join('')
    pieces.push({ where: 'part', text: part, ...lengths })
  }
  return pieces
}

/** Returns the parts of a word by which longer words are looked up; null if the word is too short. */
export function longerForms(word: string): { beginning: string | null; part: string | null } {
  const { length } = [...word]
  const isDense = dense.test(word)
  if (!isDense && !canBeMisspelt(word)) return { beginning: null, part: null }
  return {
    beginning: length >= beginningCharactersMin ? word : null,
    part: length >= (isDense ? densePartCharactersMin : partCharactersMin) ? word : null,
  }
}

export function splitsOf(word: string): [string, string][] {
  const letters = [...word]
  const splits: [string, string][] = []
  for (let at = splitCharactersMin; at <= letters.length - splitCharactersMin; at += 1)
    splits.push([letters.slice(0, at).join(''), letters.slice(at).join('')])
  return splits
}

/** Returns the candidates that the word may misspell, the nearest first. */
export function misspelt(word: string, candidates: Iterable<string>): string[] {
  const letters = [...word]
  const errors = errorsAllowed(word)
  const found: { candidate: string; distance: number }[] = []
  for (const candidate of new Set(candidates)) {
    const distance = editDistance(letters, [...candidate], errors)
    if (distance > 0 && distance <= errors) found.push({ candidate, distance })
  }
  return found
    .sort((one, other) => one.distance - other.distance || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, misspellingsMax)
    .map(({ candidate }) => candidate)
}

export const canBeMisspelt = isCompared
