import { nameWords } from '../../core/slug.ts'

/** An index entry has at most about 2,700 bytes. */
const keyCharactersMax = 400

/** Names are compared by their folded words, with and without blanks. */
export type NameKey = { folded: string; joined: string }

export function nameKey(name: string): NameKey {
  const words = nameWords(name)
  const folded = words.length > 0 ? words.join(' ') : name.trim().toLowerCase()
  return { folded: cut(folded), joined: cut(folded.replaceAll(' ', '')) }
}

/** The cut may split a surrogate pair, which PostgreSQL rejects. */
function cut(text: string): string {
  return text.length <= keyCharactersMax ? text : text.slice(0, keyCharactersMax).toWellFormed()
}
