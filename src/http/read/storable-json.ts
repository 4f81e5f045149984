import { storableText } from '@baize/names'
import { type Failure, wrongValue } from '../../core/failure.ts'

const nestedMax = 32
const nameCharactersShown = 64

/** Shortens the name of a member for an error message. */
export const truncatedName = (name: string) => name.slice(0, nameCharactersShown).toWellFormed()

/**
 * Makes a JSON body storable in PostgreSQL: NUL becomes U+FFFD; lone surrogates and more than 32 levels are
 * refused. Query strings need no such check, because invalid bytes decode to U+FFFD.
 */
export function storableJson(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') return storableText(wellFormedText(value, path))
  if (typeof value !== 'object' || value === null) return value
  if (path.length >= nestedMax) throw refused(path, `nested at most ${nestedMax} levels deep`)
  if (Array.isArray(value)) return value.map((each, index) => storableJson(each, [...path, String(index)]))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = [...path, name]
      return [storableText(wellFormedText(name, inner)), storableJson(member, inner)]
    }),
  )
}

export function wellFormedText(text: string, path: readonly string[]): string {
  if (text.isWellFormed()) return text
  throw refused(path, 'text without lone surrogates')
}

const refused = (path: readonly string[], takes: string): Failure =>
  wrongValue(truncatedName(path.join('.')), takes, 'unprocessable_body')
