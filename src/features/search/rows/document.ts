/** The tsvector of a row: words, and whole names after a sign. text/text-query.ts compiles the queries. */
import { type FoldedName, foldName, formWords, truncateKey } from '../../../core/search-text.ts'

/** Before a whole name with its legal form. */
export const speltSign = '='
/** Before a whole name without blanks, symbols and legal form. */
export const joinedSign = '~'
/** Before a word of the legal form: a text that is a legal form finds the names with it. */
export const formSign = '*'
/** Before a whole license number. */
export const numberSign = '#'
/** Before a UKGC license number without its version counter. */
export const versionlessSign = '%'

/** The weight of a field in ts_rank: 1, 0.4, 0.2, 0.1. */
type Weight = 'A' | 'B' | 'C' | 'D'

const wordsPerNameMax = 60
const namesPerFieldMax = 500
/** Longer words are searched, but not compared for typing errors. */
const comparedWordCharactersMax = 60

export class SearchDocument {
  /** Ranking uses one position of a lexeme for each weight. */
  readonly #weights = new Map<string, Set<Weight>>()
  readonly #words = new Set<string>()

  addName(name: FoldedName, weight: Weight): void {
    if (name.key === '') return
    this.addWords(name.words, weight)
    this.addWhole(speltSign, name.key, weight)
    this.addWhole(joinedSign, name.joined, weight)
    // The lowest weight: a name that has the form as one of its words ranks higher.
    for (const word of formWords(name.form)) this.addWhole(formSign, word, 'D')
  }

  addNames(names: readonly string[], weight: Weight): void {
    for (const name of names.slice(0, namesPerFieldMax)) this.addName(foldName(name), weight)
  }

  addWords(words: readonly string[], weight: Weight): void {
    for (const word of words.slice(0, wordsPerNameMax)) {
      this.addLexeme(truncateKey(word), weight)
      if (isCompared(word)) this.#words.add(word)
    }
  }

  /** Adds words that are not compared for typing errors: parts of a number. */
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

/** A number one digit off is another number. */
export function isCompared(word: string): boolean {
  return /\p{L}/u.test(word) && [...word].length <= comparedWordCharactersMax
}

export const weighted = (lexeme: string, weight: Weight) => `${quoted(lexeme)}:${weight}`

export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
