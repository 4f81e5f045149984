/**
 * What a row is found by, as a tsvector: words, and whole names under a sign of their own, so that "is called so", "begins
 * so" and "bears these words" are questions to one index. Pure; the query's side is text/text-query.ts.
 */
import { type FoldedName, foldName, formWords, truncateKey } from '../../../core/search-text.ts'

/** Before a whole name as it is spelt, legal form included. */
export const speltSign = '='
/** Before a whole name without blanks, symbols and legal form. */
export const joinedSign = '~'
/** Before a word of the legal form: who asks for a form and nothing else asks for those that bear it. */
export const formSign = '*'
/** Before a whole license number. */
export const numberSign = '#'
/** Before the number of a UKGC licence, with and without its version counter. */
export const versionlessSign = '%'

/** How much a field weighs when rows are ranked (ts_rank): 1, 0.4, 0.2, 0.1. */
export type Weight = 'A' | 'B' | 'C' | 'D'

/** Names are short; what is longer is found by its beginning. */
const wordsPerNameMax = 60
/** A list of brands as long as a telephone book is searched by its beginning. */
const namesPerFieldMax = 500
/** Longer words are searched whole, and are not compared with words that are like them. */
const comparedWordCharactersMax = 60

export class SearchDocument {
  /** One position a weight is all that ranking takes from a lexeme. */
  readonly #weights = new Map<string, Set<Weight>>()
  readonly #words = new Set<string>()

  /** A name: its words, and the whole of it. */
  addName(name: FoldedName, weight: Weight): void {
    if (name.key === '') return
    this.addWords(name.words, weight)
    this.addWhole(speltSign, name.key, weight)
    this.addWhole(joinedSign, name.joined, weight)
    // Whoever bears it as a word of the name goes before.
    for (const word of formWords(name.form)) this.addWhole(formSign, word, 'D')
  }

  /** The names of a field, the first few hundred of them. */
  addNames(names: readonly string[], weight: Weight): void {
    for (const name of names.slice(0, namesPerFieldMax)) this.addName(foldName(name), weight)
  }

  /** Words that are searched, and that a misspelt word may have meant. */
  addWords(words: readonly string[], weight: Weight): void {
    for (const word of words.slice(0, wordsPerNameMax)) {
      this.addLexeme(truncateKey(word), weight)
      if (isCompared(word)) this.#words.add(word)
    }
  }

  /** Searched, and never taken for a misspelling of another: part of a number. */
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

  /** As PostgreSQL reads a tsvector. */
  toString(): string {
    const written: string[] = []
    for (const [lexeme, weights] of this.#weights)
      written.push(`${quoted(lexeme)}:${[...weights].map(weight => positions[weight] + weight).join(',')}`)
    return written.join(' ')
  }
}

const positions: Record<Weight, number> = { A: 1, B: 2, C: 3, D: 4 }

/** Whether a word is worth comparing: a number one digit off is another number. */
export function isCompared(word: string): boolean {
  return /\p{L}/u.test(word) && [...word].length <= comparedWordCharactersMax
}

/** A lexeme in a tsquery that asks for it in fields of one weight. */
export const weighted = (lexeme: string, weight: Weight) => `${quoted(lexeme)}:${weight}`

/** A lexeme in a tsvector or tsquery. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
