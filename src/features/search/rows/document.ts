/**
 * Writes the tsvector of a row: its words, and whole names after a sign (text/text-query.ts has the
 * queries).
 */
import { type FoldedName, formWords, readingsOfName, truncateKey } from '@baize/names'

/** The sign before a whole name with its legal form. */
export const speltSign = '='
/** The sign before a whole name without blanks, symbols and legal form. */
export const joinedSign = '~'
/** The sign before a word of a legal form, so that a text of a legal form alone finds names with it. */
export const formSign = '*'
/** The sign before a whole license number. */
export const numberSign = '#'
/** The sign before a UKGC license number without its version counter. */
export const versionlessSign = '%'

/** The weight of a field in ts_rank: 1, 0.4, 0.2 or 0.1. */
type Weight = 'A' | 'B' | 'C' | 'D'

const wordsPerNameMax = 60
const namesPerFieldMax = 500
/** The longest word that is compared for typing errors; longer words are only searched. */
const comparedWordCharactersMax = 60

export class SearchDocument {
  /** Maps each lexeme to its weights, because ranking uses one position for each weight. */
  readonly #weights = new Map<string, Set<Weight>>()
  readonly #words = new Set<string>()

  addName(name: string, weight: Weight): void {
    for (const reading of readingsOfName(name)) this.#addReading(reading, weight)
  }

  #addReading(name: FoldedName, weight: Weight): void {
    if (name.key === '') return
    this.addWords(name.words, weight)
    this.addWhole(speltSign, name.key, weight)
    this.addWhole(joinedSign, name.joined, weight)
    // The form has the lowest weight, so that a name with the form as a word ranks higher.
    for (const word of formWords(name.form)) this.addWhole(formSign, word, 'D')
  }

  addNames(names: readonly string[], weight: Weight): void {
    for (const name of names.slice(0, namesPerFieldMax)) this.addName(name, weight)
  }

  addWords(words: readonly string[], weight: Weight): void {
    for (const word of words.slice(0, wordsPerNameMax)) {
      this.addLexeme(truncateKey(word), weight)
      if (isCompared(word)) this.#words.add(word)
    }
  }

  /** Adds words that are not compared for typing errors, such as parts of a number. */
  addExactWords(words: readonly string[], weight: Weight): void {
    for (const word of words.slice(0, wordsPerNameMax)) this.addLexeme(truncateKey(word), weight)
  }

  addWhole(sign: string, key: string, weight: Weight): void {
    this.addLexeme(sign + truncateKey(key), weight)
  }

  addLexeme(lexeme: string, weight: Weight): void {
    const weights = this.#weights.get(lexeme)
    if (weights === undefined) this.#weights.set(lexeme, new Set([weight]))
    else weights.add(weight)
  }

  get words(): string[] {
    return [...this.#words]
  }

  toString(): string {
    const written: string[] = []
    for (const [lexeme, weights] of this.#weights)
      written.push(`${quoted(lexeme)}:${[...weights].map(weight => positions[weight] + weight).join(',')}`)
    return written.join(' ')
  }
}

const positions: Record<Weight, number> = { A: 1, B: 2, C: 3, D: 4 }

/** Returns true if a word is compared for typing errors. A number one digit off is a different number. */
export function isCompared(word: string): boolean {
  return /\p{L}/u.test(word) && [...word].length <= comparedWordCharactersMax
}

export const weighted = (lexeme: string, weight: Weight) => `${quoted(lexeme)}:${weight}`

export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
