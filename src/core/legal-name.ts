/**
 * Whether two registers spell one legal name: case, accents, blanks and punctuation are folded, and the legal form at the
 * end in whatever spelling becomes one token. Nothing more: a form is never left out, translated or guessed, for
 * Alpha Ltd, Alpha plc and Alpha are three parties until a source says otherwise.
 */

import { foldedWords } from './fold-text.ts'

/**
 * A form's token, and its spellings as folding leaves them. Forms of several countries that share an abbreviation share
 * a token (AS of Norway and of Estonia); one that shares a word only does not (A/S of Denmark).
 */
const forms: Record<string, readonly string[]> = {
  ltd: ['limited'],
  plc: ['public limited company'],
  'pvt ltd': ['(private|pvt|pte) (limited|ltd)'],
  'pty ltd': ['(proprietary|pty) (limited|ltd)'],
  'co ltd': ['(company|co) (limited|ltd)'],
  clg: ['company limited by guarantee'],
  dac: ['designated activity company'],
  llc: ['limited liability company'],
  'fz llc': ['fzllc', '(fz|free zone) (llc|limited liability company)'],
  fze: ['free zone establishment'],
  fzco: ['free zone company'],
  llp: ['limited liability partnership'],
  lp: ['limited partnership'],
  inc: ['incorporated'],
  corp: ['corporation'],
  gmbh: ['gesellschaft mit (beschrankter|beschraenkter) haftung'],
  'gmbh & co kg': ['gmbh (&|und|and|u) co kg', 'gmbh co kg'],
  ag: ['aktiengesellschaft'],
  kg: ['kommanditgesellschaft'],
  se: ['societas europaea'],
  ab: ['aktiebolag'],
  'ab publ': ['aktiebolag publ'],
  'a/s': ['aktieselskab'],
  aps: ['anpartsselskab'],
  'i/s': ['interessentskab'],
  'k/s': ['kommanditselskab'],
  'p/s': ['partnerselskab'],
  as: ['aksjeselskap', 'aktsiaselts', 'akciova spolecnost', 'akciova spolocnost', 'anonim sirketi'],
  asa: ['allmennaksjeselskap'],
  oy: ['osakeyhtio'],
  oyj: ['julkinen osakeyhtio'],
  'oy ab': [],
  ou: ['osauhing'],
  uab: ['uzdaroji akcine bendrove'],
  sia: ['sabiedriba ar ierobezotu atbildibu'],
  hf: ['hlutafelag'],
  ehf: ['einkahlutafelag'],
  bv: ['besloten vennootschap', 'besloten vennootschap met beperkte aansprakelijkheid'],
  nv: ['naamloze vennootschap'],
  sa: ['societe anonyme', 'sociedad anonima', 'sociedade anonima', 'spolka akcyjna'],
  'sa de cv': ['(sa|s a) de (cv|c v)', 'sociedad anonima de capital variable'],
  's de rl de cv': ['s de (rl|r l) de (cv|c v)', 'sociedad de responsabilidad limitada de capital variable'],
  sas: ['societe par actions simplifiee', 'sociedad por acciones simplificada'],
  // `S.à r.l.`, as Luxembourg prints it.
  sarl: ['(sa|s a) (rl|r l)', 'societe a responsabilite limitee'],
  srl: [
    'soc a (rl|r l)',
    'societa a responsabilita limitata',
    'sociedad de responsabilidad limitada',
    'societate cu raspundere limitata',
  ],
  spa: ['societa per azioni', 'sociedad por acciones'],
  sl: ['sociedad limitada'],
  slu: ['sociedad limitada unipersonal'],
  ltda: ['limitada', 'lda'],
  eireli: [],
  doo: ['d oo', 'drustvo s ogranicenom odgovornoscu', 'drustvo sa ogranicenom odgovornoscu'],
  dd: ['dionicko drustvo'],
  ad: ['akcionarsko drustvo', 'ад'],
  eood: ['еоод'],
  ood: ['оод'],
  kft: ['korlatolt felelossegu tarsasag'],
  zrt: ['zartkoruen mukodo reszvenytarsasag'],
  nyrt: ['nyilvanosan mukodo reszvenytarsasag'],
  sro: [
    's ro',
    '(spol|spolecnost|spolocnost) s (ro|r o)',
    'spolecnost s rucenim omezenym',
    'spolocnost s rucenim obmedzenym',
  ],
  'sp zoo': [
    'spzoo',
    'sp zo o',
    'sp z (oo|o o)',
    'spolka z (oo|o o)',
    'spolka z ograniczona odpowiedzialnoscia',
  ],
}

const tokenOf = new Map<string, string>()
for (const [token, spellings] of Object.entries(forms))
  for (const spelling of [token, ...spellings.flatMap(written)]) tokenOf.set(spelling, token)
// An abbreviation is also printed letter by letter: `S. A.`, `p l c`.
for (const token of Object.keys(forms))
  if (/^[a-z]{2,4}$/.test(token) && !tokenOf.has([...token].join(' ')))
    tokenOf.set([...token].join(' '), token)

const longFormCharactersMin = 5
/** Legal forms of one word that is long enough to be misspelt: `limited`, `aktiebolag`. */
export const longFormWords: readonly string[] = [...tokenOf.keys()].filter(
  spelling => spelling.length >= longFormCharactersMin && !spelling.includes(' '),
)

/** By which a name without a form is told at once. */
const lastWords = new Set([...tokenOf.keys()].map(spelling => spelling.slice(spelling.lastIndexOf(' ') + 1)))

const formWordsMax = Math.max(...[...tokenOf.keys()].map(spelling => spelling.split(' ').length))

/** Writes `(a|b) c` out as `a c` and `b c`. */
function written(pattern: string): string[] {
  const choice = /\(([^)]*)\)/.exec(pattern)
  if (choice === null) return [pattern]
  return (choice[1] as string).split('|').flatMap(word => written(pattern.replace(choice[0], word)))
}

/**
 * The key of a legal name: equal for two spellings of one name and one form, and for nothing else. It is the key of
 * itself, and never empty unless the name is.
 */
export function legalNameKey(name: string): string {
  const words = foldedWords(name)
  if (words.length === 0) return unfolded(name)
  const { stem, form } = splitLegalForm(words)
  return form === null ? stem.join(' ') : [...stem, form].join(' ')
}

/** The folded words of a name, and the token of the legal form at their end; null: there is none, or nothing else. */
export function splitLegalForm(words: readonly string[]): { stem: readonly string[]; form: string | null } {
  if (!lastWords.has(words.at(-1) ?? '')) return { stem: words, form: null }
  for (let count = Math.min(formWordsMax, words.length - 1); count > 0; count -= 1) {
    const form = tokenOf.get(words.slice(-count).join(' '))
    if (form !== undefined) return { stem: words.slice(0, -count), form }
  }
  return { stem: words, form: null }
}

/** Of what is typed of a form before its end, the forms that it may become: `limi` is Ltd and LLC. */
const tokensBegun = new Map<string, Set<string>>()
for (const [spelling, token] of tokenOf)
  for (let end = 1; end < spelling.length; end += 1) {
    const begun = spelling.slice(0, end).trimEnd()
    tokensBegun.set(begun, (tokensBegun.get(begun) ?? new Set()).add(token))
  }

/** A name that is typed up to somewhere within its legal form, in every way in which it may go on: `recro limi`. */
export function splitUnfinishedForm(words: readonly string[]): { stem: readonly string[]; form: string }[] {
  const splits: { stem: readonly string[]; form: string }[] = []
  for (let count = Math.min(formWordsMax, words.length - 1); count > 0; count -= 1)
    for (const form of tokensBegun.get(words.slice(-count).join(' ')) ?? [])
      splits.push({ stem: words.slice(0, -count), form })
  return splits
}

/** The forms whose spelling, its letters alone, stands at the end of a word: `as` is AS and A/S. */
const tokensOfLetters = Map.groupBy(tokenOf, ([spelling]) => spelling.replaceAll(/[^\p{L}\p{N}]/gu, ''))
const formLettersMax = Math.max(...[...tokensOfLetters.keys()].map(letters => letters.length))

/** A name without blanks as a stem and a legal form at its end, in every way in which it may be meant: `ottermoorltd`. */
export function splitJoinedForm(joined: string): { stem: string; form: string }[] {
  const splits: { stem: string; form: string }[] = []
  for (let at = Math.max(1, joined.length - formLettersMax); at < joined.length; at += 1) {
    const tokens = tokensOfLetters.get(joined.slice(at)) ?? []
    for (const form of new Set(tokens.map(([, token]) => token)))
      splits.push({ stem: joined.slice(0, at), form })
  }
  return splits
}

/** How many words a legal form has, in whatever spelling, that begins at this place; 0: none does. */
export function formWordsAt(words: readonly string[], at: number): number {
  for (let count = Math.min(formWordsMax, words.length - at); count > 0; count -= 1)
    if (tokenOf.has(words.slice(at, at + count).join(' '))) return count
  return 0
}

/** A name of punctuation alone stands for itself. */
function unfolded(name: string): string {
  return name.replaceAll(/\s+/gu, ' ').trim()
}
