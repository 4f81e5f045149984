import { foldedWords } from '@baize/names'
import type { Database } from '../../database/open.ts'
import { openDigester } from '../suppressions/index.ts'
import { readDecisions } from './name-decisions-store.ts'

/** Folds a name: case, accents and punctuation do not count, the order of words does. */
const keyOf = (name: string) => foldedWords(name).join(' ')

export async function openNameDigester(database: Database): Promise<(name: string) => Buffer> {
  const digest = await openDigester(database)
  return name => digest('licensee', keyOf(name))
}

export type DecidedNames = (name: string) => boolean | undefined

/**
 * Returns whether staff decided that a name is a person's; undefined: not decided. Null if nothing was ever
 * decided, so that readers of large registers hash no names.
 */
export async function openDecidedNames(database: Database): Promise<DecidedNames | null> {
  const decisions = await readDecisions(database)
  if (decisions.size === 0) return null
  const digest = await openNameDigester(database)
  const known = new Map<string, boolean | undefined>()
  return name => {
    const key = keyOf(name)
    if (!known.has(key)) known.set(key, decisions.get(digest(name).toString('base64')))
    return known.get(key)
  }
}

/** As `openDecidedNames`, for names of people alone. */
export async function openPersonNames(database: Database): Promise<((name: string) => boolean) | null> {
  const decided = await openDecidedNames(database)
  return decided === null ? null : name => decided(name) === true
}
