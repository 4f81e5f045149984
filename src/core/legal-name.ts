/**
 * Compares legal names of registers: case, accents, blanks and punctuation are folded, and the legal form
 * at the end becomes one token in any spelling. A form is never dropped, translated or guessed: Alpha Ltd,
 * Alpha plc and Alpha are three parties until a source says otherwise.
 */

import { foldedWords } from './fold-text.ts'

/**
 * Tokens and their folded spellings. Countries with the same abbreviation share a token (AS of Norway and
 * Estonia); A/S of Denmark is another abbreviation, and so another token.
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
  // `S.à r.l.` of Luxembourg.
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
  for (const spelling of [token, ...spellings.flatMap(expand)]) tokenOf.set(spelling, token)
for (const token of Object.keys(forms))
  if (/^[a-z]{2,4}$/.test(token) && !tokenOf.has([...token].join(' ')))
    tokenOf.set([...token].join(' '), token)

const longFormCharactersMin = 5
/** One-word legal forms that are long enough to be misspelt: `limited`, `aktiebolag`. */
export const longFormWords: readonly string[] = [...tokenOf.keys()].filter(
  spelling => spelling.length >= longFormCharactersMin && !spelling.includes(' '),
)

/** Each form from each of its words on: `limited liability company`, `liability company`, `company`. */
const formEndings = new Set<string>()
for (const spelling of tokenOf.keys()) {
  formEndings.add(spelling)
  for (let at = spelling.indexOf(' '); at >= 0; at = spelling.indexOf(' ', at + 1))
    formEndings.add(spelling.slice(at + 1))
}

const formWordsMax = Math.max(...[...tokenOf.keys()].map(spelling => spelling.split(' ').length))

/** `(a|b) c` → `a c`, `b c`. */
function expand(pattern: string): string[] {
  const choice = /\(([^)]*)\)/.exec(pattern)
  if (choice === null) return [pattern]
  return (choice[1] as string).split('|').flatMap(word => expand(pattern.replace(choice[0], word)))
}

/** Equal only for spellings of one name with one form. Idempotent; empty only for an empty name. */
export function legalNameKey(name: string): string {
  const words = foldedWords(name)
  if (words.length === 0) return unfolded(name)
  const { stem, form } = splitLegalForm(words)
  return form === null ? stem.join(' ') : [...stem, form].join(' ')
}

/** Splits the form's token off folded words; null if there is no form, or nothing else. */
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

/** Tokens by each beginning of their spellings: `limi` may become Ltd or LLC. */
const tokensByBeginning = new Map<string, Set<string>>()
for (const [spelling, token] of tokenOf)
  for (let end = 1; end < spelling.length; end += 1) {
    const beginning = spelling.slice(0, end).trimEnd()
    tokensByBeginning.set(beginning, (tokensByBeginning.get(beginning) ?? new Set()).add(token))
  }

/** Every reading of a name that ends within its legal form: `recro limi`. */
export function splitUnfinishedForm(words: readonly string[]): { stem: readonly string[]; form: string }[] {
  const splits: { stem: readonly string[]; form: string }[] = []
  for (let count = Math.min(formWordsMax, words.length - 1); count > 0; count -= 1)
    for (const form of tokensByBeginning.get(words.slice(-count).join(' ')) ?? [])
      splits.push({ stem: words.slice(0, -count), form })
  return splits
}

/** Tokens by the letters of their spellings: `as` is AS and A/S. */
const tokensOfLetters = Map.groupBy(tokenOf, ([spelling]) => spelling.replaceAll(/[^\p{L}\p{N}]/gu, ''))
const formLettersMax = Math.max(...[...tokensOfLetters.keys()].map(letters => letters.length))

/** Every reading of a name without blanks as stem and legal form: `ottermoorltd`. */
export function splitJoinedForm(joined: string): { stem: string; form: string }[] {
  const splits: { stem: string; form: string }[] = []
  for (let at = Math.max(1, joined.length - formLettersMax); at < joined.length; at += 1) {
    const tokens = tokensOfLetters.get(joined.slice(at)) ?? []
    for (const form of new Set(tokens.map(([, token]) => token)))
      splits.push({ stem: joined.slice(0, at), form })
  }
  return splits
}

/** The number of words of the legal form that begins at this position; 0 if none does. */
export function formWordsAt(words: readonly string[], at: number): number {
  for (let count = Math.min(formWordsMax, words.length - at); count > 0; count -= 1)
    if (tokenOf.has(words.slice(at, at + count).join(' '))) return count
  return 0
}

function unfolded(name: string): string {
  return name.replaceAll(/\s+/gu, ' ').trim()
}
