/**
 * Decides whether a text is rare. Testing its rows is then faster than the index, with the same results
 * (decision 8).
 */
import type { World } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import type { TextQuery } from './text-query.ts'
import { readCommonWords } from './words-store.ts'

const commonFromRows = 500
const rareLettersMin = 4
const cachedForMs = 10 * 60_000

/** At most a thousand common words; null without statistics. */
type CommonWords = readonly string[] | null

type Cache = Map<SearchSubject, { readAt: number; words: Promise<CommonWords> }>
const caches = new WeakMap<World, Cache>()

export async function isRareText(world: World, subject: SearchSubject, text: TextQuery): Promise<boolean> {
  const { words, numbers, form } = text.marks
  // Most license numbers share a beginning, and half of the Companies have the same legal form.
  if (numbers.length > 0 || form.length > 0) return false
  const common = await commonWords(world, subject)
  return common !== null && [...words].some(word => isRareWord(word, common))
}

export function isRareWord(word: string, common: readonly string[]): boolean {
  return word.length >= rareLettersMin && !common.some(other => other.startsWith(word))
}

function commonWords(world: World, subject: SearchSubject): Promise<CommonWords> {
  const cache: Cache = caches.get(world) ?? new Map()
  caches.set(world, cache)
  const cached = cache.get(subject)
  if (cached !== undefined && performance.now() - cached.readAt < cachedForMs) return cached.words
  const words = readCommonWords(world, subject, commonFromRows)
  words.catch(() => cache.delete(subject))
  cache.set(subject, { readAt: performance.now(), words })
  return words
}
