/** Which words many rows bear: it decides how a text is looked for, never what is found. */
import type { World } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import { readCommonWords } from './common-words-store.ts'
import type { TextQuery } from './text-query.ts'

/** From so many rows on, an index that knows the filters too is the shorter way (decision 8). */
const commonFromRows = 500
/** Shorter beginnings are those of too many words. */
const rareLettersMin = 4
/** Words grow common slowly. */
const keptForMs = 10 * 60_000

/** At most a thousand. null: nobody knows. */
type Common = readonly string[] | null

type Kept = Map<SearchSubject, { readAt: number; words: Promise<Common> }>
const known = new WeakMap<World, Kept>()

/**
 * Whether few rows probably bear a text: one of its words is no common one, and begins none. Many rare words that begin alike are
 * not noticed, which costs time.
 */
export async function isBorneByFew(world: World, subject: SearchSubject, text: TextQuery): Promise<boolean> {
  const { words, numbers, form } = text.marks
  // A number may begin as every number does, and a legal form is every other Company's.
  if (numbers.length > 0 || form.length > 0) return false
  const common = await commonWords(world, subject)
  return common !== null && [...words].some(word => isRare(word, common))
}

/** Who bears a word may bear it as a beginning. */
export function isRare(word: string, common: readonly string[]): boolean {
  return word.length >= rareLettersMin && !common.some(other => other.startsWith(word))
}

function commonWords(world: World, subject: SearchSubject): Promise<Common> {
  const ofWorld: Kept = known.get(world) ?? new Map()
  known.set(world, ofWorld)
  const kept = ofWorld.get(subject)
  if (kept !== undefined && performance.now() - kept.readAt < keptForMs) return kept.words
  const words = readCommonWords(world, subject, commonFromRows)
  words.catch(() => ofWorld.delete(subject))
  ofWorld.set(subject, { readAt: performance.now(), words })
  return words
}
