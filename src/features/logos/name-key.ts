import { nameWords } from '../../core/slug.ts'

/** Indexes take about 2,700 bytes a row; names as long as this are told apart by what comes before. */
const keyCharactersMax = 400

/** A name as it is compared: its folded words, with blanks and without. */
export type NameKey = { folded: string; joined: string }

/** A name of signs alone is compared as it is written. */
export function nameKey(name: string): NameKey {
  const words = nameWords(name)
  const folded = words.length > 0 ? words.join(' ') : name.trim().toLowerCase()
  return { folded: cut(folded), joined: cut(folded.replaceAll(' ', '')) }
}

/** A pair of surrogates that is cut in two is no text any more. */
function cut(text: string): string {
  return text.length <= keyCharactersMax ? text : text.slice(0, keyCharactersMax).toWellFormed()
}
