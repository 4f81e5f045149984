import { editDistance } from './edit-distance.ts'

/** Limits the compared word: a longer one has no suggestion. */
const charactersMax = 60
const errorsMax = 4
/** Allows errors in a third of the letters, because a short word is a few edits from any other. */
const errorsMaxOf = (known: string) => Math.min(errorsMax, Math.ceil(known.length / 3))

/** Returns the known word with the smallest edit distance, ignoring case; undefined if none is near. */
export function nearWord(word: unknown, known: readonly string[]): string | undefined {
  if (typeof word !== 'string' || word.length > charactersMax) return undefined
  const letters = [...word.trim().toLowerCase()]
  if (letters.length === 0) return undefined
  let nearest: { word: string; errors: number } | undefined
  for (const candidate of known) {
    const max = errorsMaxOf(candidate)
    const errors = editDistance(letters, [...candidate.toLowerCase()], max)
    if (errors <= max && (nearest === undefined || errors < nearest.errors))
      nearest = { word: candidate, errors }
  }
  return nearest?.word
}

/** Returns `; did you mean "role"?`, or '' if no known word is near. */
export function didYouMean(word: unknown, known: readonly string[]): string {
  const meant = nearWord(word, known)
  return meant === undefined ? '' : question(meant)
}

const question = (meant: string) => `; did you mean "${meant}"?`

/** Returns the end of an error message, and its `details`, for a word that is not accepted. */
export function suggestWord(
  word: unknown,
  known: readonly string[],
): { suffix: string; did_you_mean: string | null } {
  const meant = nearWord(word, known)
  return meant === undefined
    ? { suffix: '.', did_you_mean: null }
    : { suffix: question(meant), did_you_mean: meant }
}
