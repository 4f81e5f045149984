import { createHash } from 'node:crypto'
import { foldedWords } from './fold-text.ts'

export const slugCharactersMax = 80
const digestCharacters = 8

export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'

const trademarks = /[®™℠©]/gu
/**
 * Matches characters that distinguish names and cannot be in a slug: other scripts and `+`. `&` and `/` are
 * dropped.
 */
const lost = /[^a-z0-9&/ ]/u

/** Folds a name into words without ® and similar marks. */
export function nameWords(name: string): string[] {
  return foldedWords(name.replaceAll(trademarks, ''))
}

/**
 * Makes a slug: `Lucky Otter` → `lucky-otter`. If characters are lost, a digest of the name follows
 * (`Казино 777` → `777-1c9b3d0e`), so that only spellings of one name share a slug.
 */
export function slugOf(name: string): string {
  const folded = nameWords(name).join(' ')
  const words = folded.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  const whole = folded === '' ? name.trim() : folded
  if (words !== '' && words.length <= slugCharactersMax && !lost.test(whole)) return words
  const beginning = words.slice(0, slugCharactersMax - digestCharacters - 1).replace(/-$/, '')
  return slugWithDigest(beginning, whole)
}

/** Adds a digest of another text, so that subjects with the same name have different slugs. */
export function slugWithDigest(slug: string, digested: string): string {
  const digest = createHash('sha256').update(digested).digest('hex').slice(0, digestCharacters)
  return slug === '' ? digest : `${slug}-${digest}`
}
