import { nameWords } from '@baize/names'

/** The longest key in characters: a PostgreSQL index entry has at most about 2,700 bytes. */
const keyCharactersMax = 400

/** The key of a name: its folded words, with and without blanks between them. */
export type NameKey = { folded: string; joined: string }

export function nameKey(name: string): NameKey {
  const words = nameWords(name)
  const folded = words.length > 0 ? words.join(' ') : name.trim().toLowerCase()
  return { folded: cut(folded), joined: cut(folded.replaceAll(' ', '')) }
}

/** Shortens a key. The cut may split a surrogate pair, which PostgreSQL rejects. */
function cut(text: string): string {
  return text.length <= keyCharactersMax ? text : text.slice(0, keyCharactersMax).toWellFormed()
}
