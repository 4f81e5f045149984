/**
 * Whether two registers spell one legal name: case, accents, blanks and punctuation are folded, and the legal form at the
 * end in whatever spelling becomes one token. Nothing more: a form is never left out, translated or guessed, for
 * Alpha Ltd, Alpha plc and Alpha are three parties until a source says otherwise.
 */

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
  'gmbh & co kg': ['gmbh (&|und|and) co kg', 'gmbh co kg'],
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
  'sa de cv': ['sociedad anonima de capital variable'],
  's de rl de cv': ['sociedad de responsabilidad limitada de capital variable'],
  sas: ['societe par actions simplifiee', 'sociedad por acciones simplificada'],
  sarl: ['societe a responsabilite limitee'],
  srl: [
    'societa a responsabilita limitata',
    'sociedad de responsabilidad limitada',
    'societate cu raspundere limitata',
  ],
  spa: ['societa per azioni', 'sociedad por acciones'],
  sl: ['sociedad limitada'],
  slu: ['sociedad limitada unipersonal'],
  ltda: ['limitada', 'lda'],
  eireli: [],
  doo: ['drustvo s ogranicenom odgovornoscu', 'drustvo sa ogranicenom odgovornoscu'],
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
  'sp zoo': ['sp z (oo|o o)', 'spolka z (oo|o o)', 'spolka z ograniczona odpowiedzialnoscia'],
}

const tokenOf = new Map<string, string>()
for (const [token, spellings] of Object.entries(forms))
  for (const spelling of [token, ...spellings.flatMap(written)]) tokenOf.set(spelling, token)
// An abbreviation is also printed letter by letter: `S. A.`, `p l c`.
for (const token of Object.keys(forms))
  if (/^[a-z]{2,4}$/.test(token) && !tokenOf.has([...token].join(' ')))
    tokenOf.set([...token].join(' '), token)

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
  for (let count = Math.min(formWordsMax, words.length - 1); count > 0; count -= 1) {
    const token = tokenOf.get(words.slice(-count).join(' '))
    if (token !== undefined) return [...words.slice(0, -count), token].join(' ')
  }
  return words.join(' ')
}

/** Letters that are letters of their own where they are used, and are written without their stroke elsewhere. */
const plainLetters: Record<string, string> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

const apostrophes = /['’‘ʼ`´]/gu
/** Letters with a dot behind each, standing by themselves: `p.l.c.`, `B.V.`, `S.A`. */
const initials = /(?<![\p{L}\p{N}.])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu
/** One letter each side, as in `A/S`; elsewhere a slash is punctuation. */
const slashedLetters = /(?<![\p{L}\p{N}/])(\p{L})\s*\/\s*(\p{L})(?![\p{L}\p{N}/])/gu
const slashKept = '\u{e000}'

/** `&` and symbols such as `+` tell names apart, and are no punctuation here. */
function foldedWords(name: string): string[] {
  return plain(plain(name))
    .replaceAll(initials, letters => letters.replaceAll('.', ''))
    .replaceAll(slashedLetters, `$1${slashKept}$2`)
    .replaceAll('&', ' & ')
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{S}&\u{e000}]+/gu, ' ')
    .replaceAll(slashKept, '/')
    .split(' ')
    .filter(word => word !== '')
}

/** Accents of Latin, Greek and Cyrillic; the marks of other scripts are vowels and consonants, and stay. */
const accents = /[\u0300-\u036f]+/gu

/** Done twice, for what a capital lowers to can fold again. */
function plain(text: string): string {
  return text
    .replaceAll(apostrophes, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(plainLetter, letter => plainLetters[letter] as string)
}

/** A name of punctuation alone stands for itself. */
function unfolded(name: string): string {
  return name.replaceAll(/\s+/gu, ' ').trim()
}
