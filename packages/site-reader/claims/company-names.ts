/**
 * Finds names of companies in a text: capitalised words before a legal form (`Red Kite Leisure N.V.`), or
 * after one (`UAB „Lažybos“`). It never finds a name without a form, which may be a natural person's.
 */
import { foldedWords, isPlain, splitLegalForm } from '@baize/names'
import { readRuleFile } from '../read-rule-file.ts'
import { wordsOfSentence } from './place-words.ts'

/** A name and its position. `end` is the position after the legal form. */
export type CompanyName = { name: string; start: number; end: number }

/** A part of the text; `words` are its folded words. */
type Token = { text: string; words: readonly string[]; start: number; end: number }

const nameWordsMax = 8
const nameCharactersMax = 120

const words =
  readRuleFile<Record<'more_forms' | 'leading_forms' | 'connectors' | 'not_names', string[]>>('company-words')
const moreForms = new Set(words.more_forms)
const leadingForms = new Set(words.leading_forms)
const connectors = new Set(words.connectors)
const notNames = new Set(words.not_names)

export function findCompanyNames(text: string): CompanyName[] {
  const tokens = tokensOf(text)
  const words: string[] = []
  /** Maps each word to the index of its token. */
  const tokenOf: number[] = []
  const found: CompanyName[] = []
  tokens.forEach((token, index) => {
    for (const word of token.words) {
      words.push(word)
      tokenOf.push(index)
    }
    const form = tokenOf[words.length - countFormWords(words)]
    const name = nameBefore(text, tokens, { form, last: index }) ?? nameAfter(text, tokens, index)
    if (name === null) return
    while (found.length > 0 && (found.at(-1) as CompanyName).end > name.start) found.pop()
    found.push(name)
  })
  return found
}

/**
 * Matches between Latin letters and a script without blanks, where a name begins or ends: `당사는 Alpha
 * Ltd.가`.
 */
const joint =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}、。：，])(?=[\p{Script=Latin}„“«"])|(?<=[\p{Script=Latin}][.)]?)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}、。：，（])/u

/** Matches case endings after a legal form: `OÜ:n`, `Kft.-nek`, `Ltd.'nin`. */
const ending = /^(.*[\p{L}.])([:'’-]\p{Ll}{1,6}\p{P}*)$/u

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: written, index } of text.matchAll(/\S+/gu)) {
    let start = index
    for (const part of partsOf(written)) {
      const end = start + part.length
      tokens.push({ text: part, words: foldedWords(part), start, end })
      start = end
    }
  }
  return tokens
}

/** Splits a word; most words are letters only and need no splitting. */
const partsOf = (written: string): string[] =>
  isPlain(written) ? [written] : written.split(joint).flatMap(withoutEnding)

function withoutEnding(written: string): string[] {
  const [, form = '', rest = ''] = ending.exec(written) ?? []
  return form !== '' && countFormWords(['x', ...foldedWords(form)]) > 0 ? [form, rest] : [written]
}

function nameBefore(
  text: string,
  tokens: readonly Token[],
  { form, last }: { form: number | undefined; last: number },
): CompanyName | null {
  if (form === undefined || form === 0) return null
  const lastToken = tokens[last] as Token
  const writtenForm = text.slice((tokens[form] as Token).start, lastToken.end)
  if (!isWrittenAsForm(writtenForm) || isTown(writtenForm)) return null
  // Some forms begin a name if a name follows, such as `SIA` in `Licensee SIA Lapsa`.
  if (leadingForms.has(lastToken.words.at(-1) ?? '') && beginsName(tokens[last + 1], lastToken)) return null
  const first = firstOfName(tokens, form)
  return first === form ? null : nameOf(text, tokens[first] as Token, lastToken, tokens[form] as Token)
}

function countFormWords(words: readonly string[]): number {
  const { stem, form } = splitLegalForm(words)
  if (form !== null) return words.length - stem.length
  return moreForms.has(words.at(-1) ?? '') ? 1 : 0
}

/** Legal forms that are not words of a language. They count without a capital. */
const smallForms = new Set(['plc', 'ltd', 'llc', 'llp', 'gmbh', 'kft', 'srl', 'doo', 'sro', 'ood', 'aps'])

/** Detects the Belgian town in `4900 Spa`. The legal form is written SpA or S.p.A. */
const isTown = (written: string): boolean => /^\P{L}*Spa\P{L}*$/u.test(written)

/** Accepts the spellings `AS`, `Ltd` and `d.o.o.`, and rejects the English word `as`. */
function isWrittenAsForm(written: string): boolean {
  const bare = written.replaceAll(/[„“”«»"'()[\],;:]/gu, '')
  if (/\p{L}\.|\p{L}\/\p{L}/u.test(bare.slice(0, -1))) return true
  const letters = bare.replaceAll(/[^\p{L}]/gu, '')
  if (!/^\p{Lu}/u.test(letters)) return smallForms.has(letters)
  return letters.length > 2 || letters === letters.toUpperCase() || letters === 'Oy'
}

/** Walks left over capitalised words, up to a comma, a colon or the end of a sentence. */
function firstOfName(tokens: readonly Token[], form: number): number {
  let first = form
  // A name in Latin letters may be within a sentence in Arabic or Japanese.
  const isLatinForm = /\p{Script=Latin}/u.test((tokens[form] as Token).text)
  const hasSmallWords = smallWordForms.has((tokens[form] as Token).words[0] ?? '')
  for (let at = form - 1; at >= 0 && form - at <= nameWordsMax; at -= 1) {
    const { text } = tokens[at] as Token
    if (endsPhrase(text, at === form - 1)) break
    if (isLatinForm && !/[\p{Script=Latin}\p{N}&(]/u.test(text)) break
    if (isCapitalised(text)) first = at
    else if (hasSmallWords && isSmallWord(text) && form - at <= smallWordsMax) continue
    else if (!connectors.has(text.toLowerCase()) || endsPhrase(tokens[at - 1]?.text ?? '.', false)) break
    if (/^[("„“«[]/u.test(text) && !text.endsWith(')')) break
  }
  first = afterAddress(tokens, first, form)
  while (first < form && isNoName((tokens[first] as Token).text, form - first)) first += 1
  return isArticleOfName(tokens, first, form) ? first - 1 : first
}

/** Forms of languages that write further words of a name small: `Vydra hry, a.s.` */
const smallWordForms = new Set([
  'as',
  'sro',
  'doo',
  'dd',
  'ad',
  'zrt',
  'kft',
  'nyrt',
  'sp',
  'jdoo',
  'ks',
  'vos',
])
const smallWordsMax = 2
const isSmallWord = (text: string): boolean =>
  /^\p{Ll}{3,},?$/u.test(text) && !notNames.has(text.replace(',', ''))

/** Skips an address before the name, which ends in an abbreviation: `5000 Odense C. Torn Spil A/S`. */
function afterAddress(tokens: readonly Token[], first: number, form: number): number {
  const within = tokens.slice(first, form)
  const postcode = within.findIndex(({ text }) => /^(?:\p{Lu}{1,3}-?)?\d{3,6},?$/u.test(text))
  const end = within.findLastIndex(({ text }) => /^\p{Lu}\p{L}{0,3}\.$/u.test(text))
  if (end <= 0) return first
  const isProvince = /^\p{Lu}{2,3}\.$/u.test((within[end] as Token).text)
  const isFloor = /\d/.test((within[end - 1] as Token).text)
  return isProvince || isFloor || (postcode >= 0 && postcode < end) ? first + end + 1 : first
}

/** Detects the article of `The Corncrake Bookmaking Company Limited`, which other names only follow. */
const isArticleOfName = (tokens: readonly Token[], first: number, form: number): boolean =>
  tokens[first - 1]?.text === 'The' &&
  [form - 1, form].some(at => articledNouns.has(tokens[at]?.words[0] ?? ''))
const articledNouns = new Set(['company', 'group', 'corporation'])

function endsPhrase(text: string, isBeforeForm: boolean): boolean {
  if (/[:;!?]$/u.test(text)) return true
  if (/,["”“»]?$/u.test(text)) return !isBeforeForm
  return /\.$/u.test(text) && !/^\p{L}{1,3}\.$|\p{L}\.\p{L}/u.test(text)
}

/** Accepts `iGame`. Letters without case (Georgian, Chinese) and digits count as capitals. */
const isCapitalised = (text: string): boolean => /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(text)

function isNoName(text: string, wordsLeft: number): boolean {
  const bare = text.toLowerCase().replaceAll(/[^\p{L}\p{N}&]/gu, '')
  return bare === '' || notNames.has(bare) || (/^(?:19|20)\d\d$/.test(bare) && wordsLeft > 1)
}

/** French, Dutch and Italian forms that follow an article or a preposition: `la SA Ardenne Amusement`. */
const articledForms = new Set([
  'sa',
  'sas',
  'sasu',
  'sarl',
  'sprl',
  'srl',
  'nv',
  'bv',
  'bvba',
  'cvba',
  'scrl',
  'spa',
])
const articles = new Set(
  'la le les de par société societe door vennootschap naamloze della dalla alla'.split(' '),
)

function followsArticle(tokens: readonly Token[], index: number, next: Token): boolean {
  const before = tokens[index - 1]?.text.toLowerCase() ?? ''
  return articles.has(before) && /^[„“«"]?\p{Lu}/u.test(next.text)
}

function nameAfter(text: string, tokens: readonly Token[], index: number): CompanyName | null {
  const form = tokens[index] as Token
  const next = tokens[index + 1]
  const [word, ...others] = form.words
  if (next === undefined || word === undefined || others.length > 0) return null
  const isLeading = leadingForms.has(word) && beginsName(next, form)
  if (!(isLeading || (articledForms.has(word) && followsArticle(tokens, index, next)))) return null
  if (!isWrittenAsForm(form.text)) return null
  let last = index + 1
  const isQuoted = /^[„“«"]/u.test(next.text)
  while (last < tokens.length - 1 && last - index < nameWordsMax) {
    const { text: written } = tokens[last] as Token
    if (isQuoted ? /["”“»]\p{P}*$/u.test(written.slice(1)) : /[,.;:)]$/u.test(written)) break
    if (!isQuoted && !isCapitalised(tokens[last + 1]?.text ?? '')) break
    last += 1
  }
  return nameOf(text, form, tokens[last] as Token, null)
}

/**
 * Checks whether a name follows the form. Forms that can also end a name or be a word need quotes after
 * them.
 */
function beginsName(next: Token | undefined, form: Token): boolean {
  if (next === undefined || /[,.;:)]$/u.test(form.text)) return false
  const isQuoted = /^[„“«"]\p{L}/u.test(next.text)
  const [word] = form.words
  return isQuoted || (!['as', 'ou', 'pt'].includes(word ?? '') && /^\p{Lu}\p{Ll}/u.test(next.text))
}

function nameOf(text: string, first: Token, last: Token, form: Token | null): CompanyName | null {
  const start = first.start + (/^[^\p{L}\p{N}]*/u.exec(first.text)?.[0].length ?? 0)
  const written = text.slice(start, last.end).replace(/[^\p{L}\p{N}.)]+$/u, '')
  const closed = written.includes('(') ? written : written.replace(/\)+\.?$/u, '')
  const end = start + withoutFullStop(closed).length
  const name = text.slice(start, end).replaceAll(/["„“”«»]/gu, '')
  const stem = form === null ? name : text.slice(start, form.start)
  const isNamed = wordsOfSentence(stem).some(word => !notNames.has(word))
  return isNamed && name.length <= nameCharactersMax ? { name, start, end } : null
}

/** Removes the full stop of `Alpha Ltd.`; `N.V.` keeps its last dot. */
function withoutFullStop(name: string): string {
  const last = name.slice(name.lastIndexOf(' ') + 1)
  return last.endsWith('.') && !last.slice(0, -1).includes('.') && last.length > 2 ? name.slice(0, -1) : name
}
