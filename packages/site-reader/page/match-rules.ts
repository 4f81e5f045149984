/**
 * Matches all rules with one page in time linear in its fields. Each field is folded once, and its words
 * and hosts are looked up.
 */
import { type Finding, type Strength, snippetCharactersMax } from '../finding.ts'
import type { CompiledRules, NamedKind, PhraseKind } from './compile-rules.ts'
import { hasNoBorder, isCapitalised } from './name-checks.ts'
import type { BrandKind, PageFields, PageHost } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import type { Condition, Rule } from './rule.ts'
import { kindOfImage, shownBrands } from './shown-brands.ts'
import { type TextPlace, textPlaces } from './text-places.ts'
import { readSentences, type Sentence, type TextSentences } from './text-sentences.ts'

export type RuleMatch = Pick<Finding, 'strength' | 'snippet'> & {
  /** The rule's file and key, such as `payment-methods/visa`. */
  rule: string
  value: Rule['value']
  /** The kind of the strongest condition that matched. */
  kind: string
  /** The target of the link that matched; null if no link did. */
  url: string | null
}

type Evidence = { strength: Strength; kind: string; snippet: string | null; url?: string }
type Found = Map<Condition, Evidence>

export function matchRules(page: PageFields, compiled: CompiledRules): RuleMatch[] {
  const found: Found = new Map()
  const permitted = lookUpHosts(page, compiled, found)
  const places = textPlaces(page, compiled.paymentPages)
  const sentences = readSentences(page, places, compiled.paymentPages)
  lookUpWords(page, compiled, { places, sentences }, found)
  lookUpNamed(page, compiled, found)
  for (const { inputs } of page.forms)
    for (const { type, autocomplete } of inputs)
      for (const word of [type, ...autocomplete.split(' ')])
        for (const condition of compiled.inputs.get(word) ?? [])
          note(found, condition, { strength: 1, kind: 'input', snippet: `input ${word}` })
  const listed = new Map(
    shownBrands(page, compiled, { places, sentences }).map(({ rule, kind, snippet }) => [
      rule,
      { strength: 1 as const, kind, snippet: shortened(snippet) },
    ]),
  )
  const isPermitted = (each: Condition) => permitted.has(each)
  return compiled.rules.flatMap(({ rule, value, condition }) => {
    const evidence = judge(condition, page, found) ?? listed.get(rule) ?? null
    if (evidence === null) return []
    const isConfirmed = evidence.strength === 1 && 'any' in condition && condition.any.some(isPermitted)
    return [{ rule, value, url: null, ...evidence, ...(isConfirmed ? { strength: 2 } : {}) }]
  })
}

function note(found: Found, condition: Condition, evidence: Evidence): void {
  const before = found.get(condition)
  if (before === undefined || before.strength < evidence.strength) found.set(condition, evidence)
}

/** Returns null if the condition does not match. Its strongest part gives the strength. */
function judge(condition: Condition, page: PageFields, found: Found): Evidence | null {
  if ('all' in condition) {
    const parts = condition.all.map(each => judge(each, page, found))
    return parts.includes(null) ? null : strongest(parts)
  }
  if ('any' in condition) return strongest(condition.any.map(each => judge(each, page, found)))
  const yes = (kind: string): Evidence => ({ strength: 1, kind, snippet: null })
  if ('not' in condition) return judge(condition.not, page, found) === null ? yes('not') : null
  if ('status' in condition) return condition.status.includes(page.status) ? yes('status') : null
  if ('lang' in condition) return isIn(page.lang, condition.lang) ? yes('lang') : null
  if ('text_characters_below' in condition)
    return page.textCharacters < condition.text_characters_below ? yes('text_characters_below') : null
  return found.get(condition) ?? null
}

const isIn = (lang: string | null, languages: readonly string[]): boolean =>
  lang !== null &&
  (languages.includes('*') || languages.includes(lang.toLowerCase().split('-', 1)[0] as string))

function strongest(parts: readonly (Evidence | null)[]): Evidence | null {
  const weight = (each: Evidence) => each.strength + (each.snippet === null ? 0 : 0.5)
  return parts.reduce((best, each) => {
    if (each === null || best === null) return best ?? each
    return weight(each) > weight(best) ? each : best
  }, null)
}

const viaStrengths: Partial<Record<PageHost['via'], Strength>> = { preconnect: 2 }

/**
 * Returns the conditions whose hosts a Content-Security-Policy permits. It is often a copied list, so it
 * only confirms another mark of the same rule.
 */
function lookUpHosts(page: PageFields, compiled: CompiledRules, found: Found): ReadonlySet<Condition> {
  const permitted = new Set<Condition>()
  for (const { host, path, via } of page.hosts) {
    const snippet = shortened(`${via} ${host}${path}`)
    compiled.hosts.find(host, path, condition => {
      if (via === 'csp') permitted.add(condition)
      else note(found, condition, { strength: viaStrengths[via] ?? 3, kind: 'host', snippet })
    })
  }
  for (const { host, path, url } of page.links)
    compiled.links.find(host, path, condition =>
      note(found, condition, { strength: 2, kind: 'link', snippet: shortened(url), url }),
    )
  return permitted
}

/** A link with a longer text is a paragraph, not a name. */
const linkCharactersMax = 120
/** Scripts of a page with more text say nothing of it. */
const scriptPageCharactersMax = 1_500
/** Limits the words of a label. In a script without blanks each character is a word. */
const labelWordsMax = 40

function lookUpWords(
  page: PageFields,
  { phrases, labels, pairs }: CompiledRules,
  { places, sentences }: { places: readonly TextPlace[]; sentences: readonly TextSentences[] },
  found: Found,
): void {
  const seen = new Set<unknown>()
  const search = (
    kind: PhraseKind,
    { words, text }: Pick<Sentence, 'words' | 'text'>,
    { url, accepts }: { url?: string; accepts?: Accepts } = {},
  ) => {
    let lower: string | undefined
    const report = (condition: Condition, word: string) => {
      lower ??= text.toLowerCase()
      const snippet = excerpt(text, lower.indexOf(word))
      const strength = kind === 'cookie' ? 2 : 1
      note(found, condition, { strength, kind, snippet, ...(url === undefined ? {} : { url }) })
    }
    phrases[kind].find(words, seen, report, accepts)
  }
  const label = (words: readonly string[], text: string, place: { url?: string } = {}) => {
    for (const condition of words.length > labelWordsMax ? [] : (labels.get(labelOf(words)) ?? []))
      note(found, condition, { strength: 1, kind: 'label', snippet: shortened(text), ...place })
  }
  page.texts.forEach(({ text, tag }, index) => {
    const place = places[index] as TextPlace
    const { words } = place
    search('text', { text, words })
    for (const sentence of sentences[index]?.offering ?? [])
      search('offer_text', sentence, { accepts: namesIn(sentence, pairs, 'studios') })
    for (const sentence of sentences[index]?.payments ?? [])
      search('payment_text', sentence, { accepts: namesIn(sentence, pairs, 'methods') })
    if (tag === 'button') label(words, text)
  })
  for (const { text, url, rel } of page.links) {
    if (rel !== '') search('link_rel', { words: pageWords(rel), text: rel }, { url })
    if (text.length > linkCharactersMax) continue
    const words = pageWords(text)
    search('link_text', { words, text }, { url })
    label(words, text, { url })
  }
  for (const image of page.images) {
    const { alt, file } = image
    const { isRefused, kind } = kindOfImage(image, page, places)
    if (isRefused) continue
    // An ambiguous name counts as a logo if its picture is among payment methods or studios.
    const logo = kind === null ? [] : ['logo']
    search('icon', { words: [...pageWords(alt), ...logo], text: alt })
    search('icon', { words: [...pageWords(file), ...logo], text: file })
    const split = file.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    if (split !== file) search('icon', { words: pageWords(split), text: file })
  }
  for (const name of [...page.providers, ...page.methods])
    search('icon', { words: [...pageWords(name), 'logo'], text: name })
  if (page.title !== null) search('title', { words: pageWords(page.title), text: page.title })
  for (const cookie of page.cookies) search('cookie', { words: pageWords(cookie), text: cookie })
  if (page.textCharacters < scriptPageCharactersMax)
    for (const script of page.scriptTexts)
      search('script', { words: pageWords(script.replaceAll('=', ' ')), text: script })
}

type Accepts = (start: number, end: number) => boolean

/** Accepts words that are written as one name. The names of a pair may have signs between them. */
function namesIn(sentence: Sentence, pairs: ReadonlySet<string>, kind: BrandKind): Accepts {
  const { words } = sentence
  return (start, end) => {
    const marks = end - start < 2 ? null : sentence.marks
    if (marks === null) return true
    const borders = kind === 'methods' ? marks.ends : marks.borders
    const isWhole = hasNoBorder(borders, start, end)
    const isName = isWhole && (kind === 'methods' || isCapitalised(marks, words, { start, end }))
    return isName || pairs.has(words.slice(start, end).join(' '))
  }
}

const badges = new Set(['new', 'hot', 'beta'])

/**
 * Removes a badge, a count or a repetition from a link's text, which the description of an icon often
 * repeats.
 */
function labelOf(all: readonly string[]): string {
  const last = all.findLastIndex(word => !badges.has(word) && !/^\d+$/.test(word))
  const words = last < 0 ? all : all.slice(0, last + 1)
  const [once, again] = [words.slice(0, words.length / 2), words.slice(words.length / 2)].map(half =>
    half.join(' '),
  )
  return once !== undefined && once === again ? once : words.join(' ')
}

function lookUpNamed(page: PageFields, { named }: CompiledRules, found: Found): void {
  const seen = new Set<unknown>()
  const search = (kind: NamedKind, name: string, text: string) => {
    const entry = named[kind].get(name.toLowerCase())
    if (entry === undefined) return
    const snippet = shortened(`${name}: ${text}`)
    const report = (condition: Condition) => note(found, condition, { strength: 2, kind, snippet })
    for (const condition of entry.anyValue) report(condition)
    entry.phrases.find(pageWords(text), seen, report)
  }
  for (const { name, content } of page.metas) search('meta', name, content)
  for (const [name, value] of Object.entries(page.headers)) search('header', name, value.slice(0, 2_000))
  for (const object of page.jsonLd)
    for (const [name, value] of Object.entries(object))
      if (named.json_ld.has(name.toLowerCase()))
        for (const text of textsIn(value)) search('json_ld', name, text)
}

/** Returns the texts of a member: itself, the items of a list, and the names of objects. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return ['name', 'url', '@id'].flatMap(member => textsIn((value as Record<string, unknown>)[member]))
}

const shortened = (text: string) => text.slice(0, snippetCharactersMax).toWellFormed()

/** Cuts a text around a word, or at its beginning if folding has changed the word (-1). */
function excerpt(text: string, at: number): string {
  const start = at < snippetCharactersMax / 2 ? 0 : at - snippetCharactersMax / 2
  return shortened(text.slice(start)).trim()
}
