/** What is wrong with a description, and where: for the person who wrote it. */
import { closest, distance } from 'fastest-levenshtein'

export type Problem = { line: number; column: number; message: string }

/** A problem before anybody looked where it stands. */
export type Finding = {
  /** Keys and positions from the top of the description. */
  path: readonly string[]
  /** Whether the key itself is meant, or what stands behind it. */
  at: 'key' | 'value'
  message: string
}

const shownCharactersMax = 60
/** A suggestion further away than this share of the word is a guess. */
const distanceShareMax = 0.4

/** A value in quotes, cut to a length that fits an error. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'keys'
  const text = String(value)
  const cut = text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
  return typeof value === 'string' ? JSON.stringify(cut) : cut
}

/** `; did you mean "role"?`, or nothing where no known word is near. */
export function didYouMean(word: unknown, known: readonly string[]): string {
  if (typeof word !== 'string' || word.length > shownCharactersMax || known.length === 0) return ''
  const suggestion = closest(word, known)
  const near = Math.ceil(Math.max(word.length, suggestion.length) * distanceShareMax)
  return distance(word, suggestion) <= near ? `; did you mean "${suggestion}"?` : ''
}

/** `records.license.key[0]`, as an error names it. */
export function pathText(path: readonly string[]): string {
  return path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}
