/**
 * Which words a word that nobody bears may have meant. Pure: pieces of it are looked up in the vocabulary
 * (words-store.ts), and what comes back is compared here.
 */
import { editDistance } from '../../../core/edit-distance.ts'
import { isCompared } from '../rows/document.ts'
import { misspellingsMax } from './similar-limits.ts'

/** A word of five letters may have lost one. */
const oneErrorCharactersMin = 4
const twoErrorsCharactersMin = 9
const beginningCharactersMin = 3
const partCharactersMin = 4
/** Of digits, and in scripts without blanks. Two would read every word of the vocabulary: there is no trigram of them. */
const tellingPartCharactersMin = 3
const telling =
  /^(?:\p{N}+|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)$/u
const splitCharactersMin = 2

/** How many typing errors a word is forgiven. */
export function errorsForgiven(word: string): number {
  const { length } = [...word]
  return length >= twoErrorsCharactersMin ? 2 : length >= oneErrorCharactersMin ? 1 : 0
}

/** A look-up in the vocabulary: words of so many characters that begin, end, or go on so. */
export type Piece = {
  where: 'beginning' | 'end' | 'part'
  text: string
  lengthMin: number
  lengthMax: number
}

/**
 * Pieces of which a word within the errors forgiven has at least one whole: an error touches two neighbouring
 * characters at most, and a character stands between each two pieces, so that none touches two of them.
 */
export function piecesOf(word: string): Piece[] {
  const letters = [...word]
  const errors = errorsForgiven(word)
  if (errors === 0) return []
  const lengthMin = Math.max(oneErrorCharactersMin, letters.length - errors)
  const lengths = { lengthMin, lengthMax: letters.length + errors }
  const whole = letters.length - errors
  const outer = Math.floor(whole / (errors + 1))
  const beginning = letters.slice(0, outer).join('')
  const end = letters.slice(letters.length - (errors === 1 ? whole - outer : outer)).join('')
  const pieces: Piece[] = [
    { where: 'beginning', text: beginning, ...lengths },
    { where: 'end', text: end, ...lengths },
  ]
  if (errors === 2) {
    const part = letters.slice(outer + 1, letters.length - outer - 1).join('')
    pieces.push({ where: 'part', text: part, ...lengths })
  }
  return pieces
}

/** Words of the vocabulary that begin with the word, or contain it: `null` where it is too short to say anything. */
export function longerForms(word: string): { beginning: string | null; part: string | null } {
  const { length } = [...word]
  const isTelling = telling.test(word)
  if (!isTelling && !canBeMisspelt(word)) return { beginning: null, part: null }
  return {
    beginning: length >= beginningCharactersMin ? word : null,
    part: length >= (isTelling ? tellingPartCharactersMin : partCharactersMin) ? word : null,
  }
}

/** Every two words that the word may be, had its blank been forgotten. */
export function splitsOf(word: string): [string, string][] {
  const letters = [...word]
  const splits: [string, string][] = []
  for (let at = splitCharactersMin; at <= letters.length - splitCharactersMin; at += 1)
    splits.push([letters.slice(0, at).join(''), letters.slice(at).join('')])
  return splits
}

/** Those of the candidates that lie within the errors forgiven, the nearest first. */
export function misspelt(word: string, candidates: Iterable<string>): string[] {
  const letters = [...word]
  const errors = errorsForgiven(word)
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

/** Whether a word can have been meant otherwise: numbers are not, and very long words are not compared. */
export const canBeMisspelt = isCompared
