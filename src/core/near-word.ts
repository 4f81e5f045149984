import { editDistance } from './edit-distance.ts'

/** A longer word is nobody's typing error. */
const charactersMax = 60
const errorsMax = 4
/** A short word is a few letters from any other. */
const errorsMaxOf = (known: string) => Math.min(errorsMax, Math.ceil(known.length / 3))

/** The one of the known words that was probably meant, whatever its case; undefined where none is near. */
export function nearWord(word: unknown, known: readonly string[]): string | undefined {
  if (typeof word !== 'string' || word.length > charactersMax) return undefined
  const asked = [...word.trim().toLowerCase()]
  if (asked.length === 0) return undefined
  let nearest: { word: string; errors: number } | undefined
  for (const candidate of known) {
    const max = errorsMaxOf(candidate)
    const errors = editDistance(asked, [...candidate.toLowerCase()], max)
    if (errors <= max && (nearest === undefined || errors < nearest.errors))
      nearest = { word: candidate, errors }
  }
  return nearest?.word
}

/** `; did you mean "role"?`, or nothing where no known word is near. */
export function didYouMean(word: unknown, known: readonly string[]): string {
  const meant = nearWord(word, known)
  return meant === undefined ? '' : question(meant)
}

const question = (meant: string) => `; did you mean "${meant}"?`

/** What follows the words that a parameter takes, in a message and in its details. */
export function suggestWord(
  word: unknown,
  known: readonly string[],
): { suffix: string; did_you_mean: string | null } {
  const meant = nearWord(word, known)
  return meant === undefined
    ? { suffix: '.', did_you_mean: null }
    : { suffix: question(meant), did_you_mean: meant }
}
