/**
 * Compares legal names of registers. Case, accents, blanks and punctuation are folded, and the legal form
 * at the end becomes one token in any spelling. A form is never dropped, translated or guessed: Alpha Ltd,
 * Alpha plc and Alpha are three parties until a source says otherwise.
 */

import legalForms from './data/legal-forms.json' with { type: 'json' }
import { foldedWords } from './fold-text.ts'

/**
 * Maps tokens to their folded spellings. Countries with the same abbreviation share a token (AS of Norway
 * and Estonia). A/S of Denmark is another abbreviation and so another token. `sarl` includes `S.à r.l.`
 */
const forms: Record<string, readonly string[]> = legalForms

const tokenOf = new Map<string, string>()
for (const [token, spellings] of Object.entries(forms))
  for (const spelling of [token, ...spellings.flatMap(expand)]) tokenOf.set(spelling, token)
for (const token of Object.keys(forms))
  if (/^[a-z]{2,4}$/.test(token) && !tokenOf.has([...token].join(' ')))
    tokenOf.set([...token].join(' '), token)

const longFormCharactersMin = 5
/** Legal forms of one word that are long enough to be misspelt, such as `limited` and `aktiebolag`. */
export const longFormWords: readonly string[] = [...tokenOf.keys()].filter(
  spelling => spelling.length >= longFormCharactersMin && !spelling.includes(' '),
)

/** Endings of legal forms in whole words: `limited liability company`, `liability company`, `company`. */
const formEndings = new Set<string>()
for (const spelling of tokenOf.keys()) {
  formEndings.add(spelling)
  for (let at = spelling.indexOf(' '); at >= 0; at = spelling.indexOf(' ', at + 1))
    formEndings.add(spelling.slice(at + 1))
}

const formWordsMax = Math.max(...[...tokenOf.keys()].map(spelling => spelling.split(' ').length))

/** Expands choices: `(a|b) c` becomes `a c` and `b c`. */
function expand(pattern: string): string[] {
  const choice = /\(([^)]*)\)/.exec(pattern)
  if (choice === null) return [pattern]
  return (choice[1] as string).split('|').flatMap(word => expand(pattern.replace(choice[0], word)))
}

/** Returns a key that only spellings of one name with one form share. It is empty only for an empty name. */
export function legalNameKey(name: string): string {
  const words = foldedWords(name)
  if (words.length === 0) return unfolded(name)
  const { stem, form } = splitLegalForm(words)
  return form === null ? stem.join(' ') : [...stem, form].join(' ')
}

/** Splits the form's token off folded words. The form is null if there is none, or if no name precedes it. */
export function splitLegalForm(words: readonly string[]): { stem: readonly string[]; form: string | null } {
  let ending = words.at(-1) ?? ''
  let longest: { start: number; form: string } | null = null
  for (let start = words.length - 1; start > 0 && formEndings.has(ending); start -= 1) {
    const form = tokenOf.get(ending)
    if (form !== undefined) longest = { start, form }
    ending = `${words[start - 1]} ${ending}`
  }
  return longest === null
    ? { stem: words, form: null }
    : { stem: words.slice(0, longest.start), form: longest.form }
}

/** Maps each beginning of a spelling to its tokens: `limi` may become Ltd or LLC. */
const tokensByBeginning = new Map<string, Set<string>>()
for (const [spelling, token] of tokenOf)
  for (let end = 1; end < spelling.length; end += 1) {
    const beginning = spelling.slice(0, end).trimEnd()
    tokensByBeginning.set(beginning, (tokensByBeginning.get(beginning) ?? new Set()).add(token))
  }

/** Returns every reading of a name that ends within its legal form, such as `recro limi`. */
export function splitUnfinishedForm(words: readonly string[]): { stem: readonly string[]; form: string }[] {
  const splits: { stem: readonly string[]; form: string }[] = []
  for (let count = Math.min(formWordsMax, words.length - 1); count > 0; count -= 1)
    for (const form of tokensByBeginning.get(words.slice(-count).join(' ')) ?? [])
      splits.push({ stem: words.slice(0, -count), form })
  return splits
}

/** Groups tokens by the letters of their spellings: `as` may be AS or A/S. */
const tokensOfLetters = Map.groupBy(tokenOf, ([spelling]) => spelling.replaceAll(/[^\p{L}\p{N}]/gu, ''))
const formLettersMax = Math.max(...[...tokensOfLetters.keys()].map(letters => letters.length))

/** Returns every split of a name without blanks into stem and legal form, such as `ottermoorltd`. */
export function splitJoinedForm(joined: string): { stem: string; form: string }[] {
  const splits: { stem: string; form: string }[] = []
  for (let at = Math.max(1, joined.length - formLettersMax); at < joined.length; at += 1) {
    const tokens = tokensOfLetters.get(joined.slice(at)) ?? []
    for (const form of new Set(tokens.map(([, token]) => token)))
      splits.push({ stem: joined.slice(0, at), form })
  }
  return splits
}

/** Counts the words of the legal form that begins at this position; 0 if none does. */
export function formWordsAt(words: readonly string[], at: number): number {
  for (let count = Math.min(formWordsMax, words.length - at); count > 0; count -= 1)
    if (tokenOf.has(words.slice(at, at + count).join(' '))) return count
  return 0
}

function unfolded(name: string): string {
  return name.replaceAll(/\s+/gu, ' ').trim()
}
