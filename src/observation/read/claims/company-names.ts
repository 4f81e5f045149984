/**
 * Finds names of companies in a text: capitalised words before a legal form (`Red Kite Leisure N.V.`), or
 * after one (`UAB „Lažybos“`). A name without a form may be a natural person's and is never found.
 */
import { foldedWords, isPlain } from '../../../core/fold-text.ts'
import { splitLegalForm } from '../../../core/legal-name.ts'
import { wordsOf } from './place-words.ts'

/** `end` is after the legal form. */
export type CompanyName = { name: string; start: number; end: number }

/** `words` are folded. */
type Token = { text: string; words: readonly string[]; start: number; end: number }

const nameWordsMax = 8
const nameCharactersMax = 120

/** Legal forms that registers do not need. Of sole traders none: they are natural persons. */
const moreForms = new Set(
  (
    'sau enc snc sc sca scs eurl sasu bvba cvba vof cv ohg kb hb jdoo vos ks spj spk bt ead еад jsc pjsc ' +
    'ae αε μαε επε μεπε ικε μικε οε ооо оао зао пао ао тов тзов ат прат eg vzw ibc gie publ ltdşti'
  ).split(' '),
)
/** They stand before the name too. */
const leadingForms = new Set([
  'sia',
  'uab',
  'ооо',
  'оао',
  'зао',
  'пао',
  'ао',
  'тов',
  'тзов',
  'as',
  'ou',
  'pt',
])

const connectors = new Set(
  'of and und et de di da do del della la le y e och og ja a i и та the & + - – von van for'.split(' '),
)
/** Words that are capitalised because they begin a sentence or are German nouns. */
const notNames = new Set(
  (
    'by in with at for from under our this please all contact via die der das the company copyright firma ' +
    'gesellschaft betreiber inhaber operator owner licensee website webseite site is are a an and & ' +
    'to about between of и de la ist wird operated owned společnost spoločnost společnosti ' +
    'tvrtka podjetje фирма компания компанія компанией дружество εταιρεία η της şirketi bolaget selskabet'
  ).split(' '),
)

export function findCompanyNames(text: string): CompanyName[] {
  const tokens = tokensOf(text)
  const words: string[] = []
  /** Of each word. */
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

/** Between Latin letters and those of a script without blanks a name begins or ends: `당사는 Alpha Ltd.가`. */
const joint =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}、。：，])(?=[\p{Script=Latin}„“«"])|(?<=[\p{Script=Latin}][.)]?)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}、。：，（])/u

/** Endings of cases after a form: `OÜ:n`, `Kft.-nek`, `Ltd.'nin`. */
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

/** Most words are letters only. */
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
  // `Licensee SIA Lapsa`: such a form begins the name if a name follows it.
  if (leadingForms.has(lastToken.words.at(-1) ?? '') && beginsName(tokens[last + 1], lastToken)) return null
  const first = firstOfName(tokens, form)
  return first === form ? null : nameOf(text, tokens[first] as Token, lastToken, tokens[form] as Token)
}

function countFormWords(words: readonly string[]): number {
  const { stem, form } = splitLegalForm(words)
  if (form !== null) return words.length - stem.length
  return moreForms.has(words.at(-1) ?? '') ? 1 : 0
}

/** Forms that are no word of a language, and so count without a capital. */
const smallForms = new Set(['plc', 'ltd', 'llc', 'llp', 'gmbh', 'kft', 'srl', 'doo', 'sro', 'ood', 'aps'])

/** `4900 Spa`: S.p.A. is never written so. */
const isTown = (written: string): boolean => /^\P{L}*Spa\P{L}*$/u.test(written)

/** `AS`, `Ltd`, `d.o.o.`; not the English word `as`. */
function isWrittenAsForm(written: string): boolean {
  const bare = written.replaceAll(/[„“”«»"'()[\],;:]/gu, '')
  if (/\p{L}\.|\p{L}\/\p{L}/u.test(bare.slice(0, -1))) return true
  const letters = bare.replaceAll(/[^\p{L}]/gu, '')
  if (!/^\p{Lu}/u.test(letters)) return smallForms.has(letters)
  return letters.length > 2 || letters === letters.toUpperCase() || letters === 'Oy'
}

/** Walks left over capitalised words; ends after a comma, a colon or a sentence. */
function firstOfName(tokens: readonly Token[], form: number): number {
  let first = form
  // A name in Latin letters within a sentence in Arabic or Japanese.
  const isLatinForm = /\p{Script=Latin}/u.test((tokens[form] as Token).text)
  for (let at = form - 1; at >= 0 && form - at <= nameWordsMax; at -= 1) {
    const { text } = tokens[at] as Token
    if (endsPhrase(text, at === form - 1)) break
    if (isLatinForm && !/[\p{Script=Latin}\p{N}&(]/u.test(text)) break
    if (isCapitalised(text)) first = at
    else if (!connectors.has(text.toLowerCase()) || endsPhrase(tokens[at - 1]?.text ?? '.', false)) break
    if (/^[("„“«[]/u.test(text) && !text.endsWith(')')) break
  }
  while (first < form && isNoName((tokens[first] as Token).text, form - first)) first += 1
  return first
}

function endsPhrase(text: string, isBeforeForm: boolean): boolean {
  if (/[:;!?]$/u.test(text)) return true
  if (/,["”“»]?$/u.test(text)) return !isBeforeForm
  return /\.$/u.test(text) && !/^\p{L}{1,3}\.$|\p{L}\.\p{L}/u.test(text)
}

/** `iGame`; letters without case (Georgian, Chinese) and digits count. */
const isCapitalised = (text: string): boolean => /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(text)

function isNoName(text: string, wordsLeft: number): boolean {
  const bare = text.toLowerCase().replaceAll(/[^\p{L}\p{N}&]/gu, '')
  return bare === '' || notNames.has(bare) || (/^(?:19|20)\d\d$/.test(bare) && wordsLeft > 1)
}

/** Of French, Dutch and Italian: `la SA Ardenne Amusement`, after an article or a preposition. */
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

/** Without quotes only the forms that no name ends in. */
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
  const isNamed = wordsOf(stem).some(word => !notNames.has(word))
  return isNamed && name.length <= nameCharactersMax ? { name, start, end } : null
}

/** `Alpha Ltd.` at the end of a sentence; `N.V.` keeps its last dot. */
function withoutFullStop(name: string): string {
  const last = name.slice(name.lastIndexOf(' ') + 1)
  return last.endsWith('.') && !last.slice(0, -1).includes('.') && last.length > 2 ? name.slice(0, -1) : name
}
