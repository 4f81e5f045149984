import { createHash } from 'node:crypto'
import { foldedWords } from './fold-text.ts'

export const slugCharactersMax = 80
const digestCharacters = 8

/** What a slug is made of; the slug of a slug is itself. */
export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** Signs of ownership are no part of a name. */
const marks = /[®™℠©]/gu
/** What tells names apart and cannot stand in a slug: letters of other scripts, `+`. An ampersand is left out in silence. */
const untold = /[^a-z0-9&/ ]/u

/** The folded words of a name, without signs of ownership. */
export function nameWords(name: string): string[] {
  return foldedWords(name.replaceAll(marks, ''))
}

/**
 * A name as a part of an address: `Lucky Otter` → `lucky-otter`. Where the name holds what a slug cannot, a digest of it
 * follows (`Казино 777` → `777-1c9b3d0e`), so that two names share a slug only if they are spellings of one.
 */
export function slugOf(name: string): string {
  const folded = nameWords(name).join(' ')
  const words = folded.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  const whole = folded === '' ? name.trim() : folded
  if (words !== '' && words.length <= slugCharactersMax && !untold.test(whole)) return words
  const kept = words.slice(0, slugCharactersMax - digestCharacters - 1).replace(/-$/, '')
  return slugWithDigest(kept, whole)
}

/** The same slug told apart by a digest of something else, for those who share a name. */
export function slugWithDigest(slug: string, digested: string): string {
  const digest = createHash('sha256').update(digested).digest('hex').slice(0, digestCharacters)
  return slug === '' ? digest : `${slug}-${digest}`
}
