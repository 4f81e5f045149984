import { Failure } from '../core/failure.ts'
import { storableText } from '../core/storable-text.ts'

const nestedMax = 32
const nameCharactersShown = 64

/** As much of a name that a stranger chose as fits into an answer. */
export const truncatedName = (name: string) => name.slice(0, nameCharactersShown).toWellFormed()

/**
 * A JSON body as PostgreSQL's json holds it. Half a surrogate pair is no character and has no encoding: the member that
 * holds one is refused by name, and so is nesting that no member of any operation has. (A query string cannot say
 * either: what does not decode reads U+FFFD.)
 */
export function storableJson(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') return storableText(wellFormedText(value, path))
  if (typeof value !== 'object' || value === null) return value
  if (path.length >= nestedMax) throw refused(path, `values nested at most ${nestedMax} deep`)
  if (Array.isArray(value)) return value.map((each, index) => storableJson(each, [...path, String(index)]))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = [...path, name]
      return [storableText(wellFormedText(name, inner)), storableJson(member, inner)]
    }),
  )
}

/** The text, unless it holds half a surrogate pair. */
export function wellFormedText(text: string, path: readonly string[]): string {
  if (text.isWellFormed()) return text
  throw refused(path, 'text without halves of surrogate pairs, which are no characters')
}

function refused(path: readonly string[], takes: string): Failure {
  const parameter = truncatedName(path.join('.'))
  return new Failure('unprocessable_body', {
    message: `"${parameter}" takes ${takes}.`,
    details: { parameter, takes },
  })
}
