/** Reads the number of a company register from a sentence that names no company, as in imprints. */
import { findNumbers, textCharactersMax } from './find-numbers.ts'
import { wordsWithPlaces } from './place-words.ts'
import { findRegistrationNumbers } from './registration-numbers.ts'
import { findClaimWords } from './role-words.ts'

export function loneRegistrationNumber(whole: string): string | null {
  const text = whole.slice(0, textCharactersMax)
  if (!/\d/.test(text)) return null
  const words = wordsWithPlaces(text)
  const { registration } = findClaimWords(words)
  const taken = findNumbers(text, words)
  const [first] = findRegistrationNumbers(text, registration, { taken, names: [] })
  return first?.number ?? null
}
