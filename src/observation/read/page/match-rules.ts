/**
 * Matches all rules with one page in time linear in its fields: each field is folded once, and its words and
 * hosts are looked up.
 */
import { type Finding, type Strength, snippetCharactersMax } from '../../finding.ts'
import { labelledBrands, listedBrands, listLimits } from './brand-lists.ts'
import type { CompiledRules, NamedKind, PhraseKind } from './compile-rules.ts'
import type { PageFields, PageHost, PageImage } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import {
  isMethodPicture,
  isPaymentPage,
  isStudioPicture,
  offeringSentences,
  paymentSentences,
} from './payment-page.ts'
import type { Condition, Rule } from './rule.ts'
import { type TextPlace, textPlaces } from './text-places.ts'

export type RuleMatch = Pick<Finding, 'strength' | 'snippet'> & {
  /** `payment-methods/visa`. */
  rule: string
  value: Rule['value']
  /** The kind of condition that matched, the strongest first. */
  kind: string
  /** Of the link that matched. */
  url: string | null
}

type Evidence = { strength: Strength; kind: string; snippet: string | null; url?: string }
type Found = Map<Condition, Evidence>

export function matchRules(page: PageFields, compiled: CompiledRules): RuleMatch[] {
  const found: Found = new Map()
  lookUpHosts(page, compiled, found)
  const places = textPlaces(page, compiled.paymentPages)
  lookUpWords(page, compiled, places, found)
  lookUpNamed(page, compiled, found)
  for (const { inputs } of page.forms)
    for (const { type, autocomplete } of inputs)
      for (const word of [type, ...autocomplete.split(' ')])
        for (const condition of compiled.inputs.get(word) ?? [])
          note(found, condition, { strength: 1, kind: 'input', snippet: `input ${word}` })
  const listed = lookUpLists(page, compiled, places)
  return compiled.rules.flatMap(({ rule, value, condition }) => {
    const evidence = judge(condition, page, found) ?? listed.get(rule) ?? null
    return evidence === null ? [] : [{ rule, value, url: null, ...evidence }]
  })
}

function note(found: Found, condition: Condition, evidence: Evidence): void {
  const before = found.get(condition)
  if (before === undefined || before.strength < evidence.strength) found.set(condition, evidence)
}

/** null: the condition does not match. The strongest part of a condition gives its strength. */
function judge(condition: Condition, page: PageFields, found: Found): Evidence | null {
  if ('all' in condition) {
    const parts = condition.all.map(each => judge(each, page, found))
    return parts.includes(null) ? null : strongest(parts)
  }
  if ('any' in condition) return strongest(condition.any.map(each => judge(each, page, found)))
  const yes = (kind: string): Evidence => ({ strength: 1, kind, snippet: null })
  if ('not' in condition) return judge(condition.not, page, found) === null ? yes('not') : null
  if ('status' in condition) return condition.status.includes(page.status) ? yes('status') : null
  if ('text_characters_below' in condition)
    return page.textCharacters < condition.text_characters_below ? yes('text_characters_below') : null
  return found.get(condition) ?? null
}

function strongest(parts: readonly (Evidence | null)[]): Evidence | null {
  const weight = (each: Evidence) => each.strength + (each.snippet === null ? 0 : 0.5)
  return parts.reduce((best, each) => {
    if (each === null || best === null) return best ?? each
    return weight(each) > weight(best) ? each : best
  }, null)
}

const declares = new Set<PageHost['via']>(['csp', 'preconnect'])

function lookUpHosts(page: PageFields, compiled: CompiledRules, found: Found): void {
  for (const { host, path, via } of page.hosts) {
    const snippet = shortened(`${via} ${host}${path}`)
    compiled.hosts.find(host, path, condition =>
      note(found, condition, { strength: declares.has(via) ? 2 : 3, kind: 'host', snippet }),
    )
  }
  for (const { host, path, url } of page.links)
    compiled.links.find(host, path, condition =>
      note(found, condition, { strength: 2, kind: 'link', snippet: shortened(url), url }),
    )
}

/** A longer text of a link is a paragraph, not a name. */
const linkCharactersMax = 120
/** Of a script without blanks each character is a word. */
const labelWordsMax = 40

function lookUpWords(
  page: PageFields,
  { phrases, labels, paymentPages }: CompiledRules,
  places: readonly TextPlace[],
  found: Found,
): void {
  const seen = new Set<unknown>()
  const search = (kind: PhraseKind, words: readonly string[], text: string, place: { url?: string } = {}) => {
    let lower: string | undefined
    phrases[kind].find(words, seen, (condition, word) => {
      lower ??= text.toLowerCase()
      note(found, condition, {
        strength: kind === 'cookie' ? 2 : 1,
        kind,
        snippet: excerpt(text, lower.indexOf(word)),
        ...place,
      })
    })
  }
  const label = (words: readonly string[], text: string, place: { url?: string } = {}) => {
    for (const condition of words.length > labelWordsMax ? [] : (labels.get(labelOf(words)) ?? []))
      note(found, condition, { strength: 1, kind: 'label', snippet: shortened(text), ...place })
  }
  const isPayment = isPaymentPage(page, paymentPages)
  page.texts.forEach(({ text, tag }, index) => {
    const place = places[index] as TextPlace
    const { words } = place
    search('text', words, text)
    if (!place.isRefused) {
      const offering = offeringSentences(text, words, place.mentionsRefusal)
      for (const sentence of offering) search('offer_text', sentence, text)
      const sentences = paymentSentences(text, offering, words, isPayment || place.isPayment)
      for (const sentence of sentences) search('payment_text', sentence, text)
    }
    if (tag === 'button') label(words, text)
  })
  for (const { text, url } of page.links) {
    if (text.length > linkCharactersMax) continue
    const words = pageWords(text)
    search('link_text', words, text, { url })
    label(words, text, { url })
  }
  for (const image of page.images) {
    const { alt, file } = image
    // Among pictures of payment methods or studios an ambiguous name is a logo.
    const logo = isMethodPicture(image) || isStudioPicture(image) ? ['logo'] : []
    search('icon', [...pageWords(alt), ...logo], alt)
    search('icon', [...pageWords(file), ...logo], file)
    const split = file.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    if (split !== file) search('icon', pageWords(split), file)
  }
  for (const name of [...page.providers, ...page.methods]) search('icon', [...pageWords(name), 'logo'], name)
  if (page.title !== null) search('title', pageWords(page.title), page.title)
  for (const cookie of page.cookies) search('cookie', pageWords(cookie), cookie)
}

function lookUpLists(
  page: PageFields,
  { brands, paymentPages }: CompiledRules,
  places: readonly TextPlace[],
): Map<string, Evidence> {
  const ofMethods = isPaymentPage(page, paymentPages) ? listLimits.methodsOfPaymentPage : listLimits.methods
  const listed = [
    ...listedBrands(page, places, brands.methods, ofMethods),
    ...listedBrands(page, places, brands.studios, listLimits.studios),
    ...labelledBrands([...page.methods, ...picturesOf(page, isMethodPicture)], brands.methods),
    ...labelledBrands([...page.providers, ...picturesOf(page, isStudioPicture)], brands.studios),
  ]
  return new Map(
    listed.map(({ rule, snippet }) => [rule, { strength: 1, kind: 'list', snippet: shortened(snippet) }]),
  )
}

const picturesOf = ({ images }: PageFields, isOf: (image: PageImage) => boolean): string[] =>
  images.filter(isOf).flatMap(({ alt, file }) => [alt, file].filter(name => name !== ''))

const badges = new Set(['new', 'hot', 'beta'])

/** A link often has its text twice, as the description of its icon, or ends with a badge or a count. */
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

/** Texts of a member: itself, the items of a list, and the names of objects. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return ['name', 'url', '@id'].flatMap(member => textsIn((value as Record<string, unknown>)[member]))
}

const shortened = (text: string) => text.slice(0, snippetCharactersMax).toWellFormed()

/** The neighbourhood of a word; the text's beginning if folding has changed the word (-1). */
function excerpt(text: string, at: number): string {
  const start = at < snippetCharactersMax / 2 ? 0 : at - snippetCharactersMax / 2
  return shortened(text.slice(start)).trim()
}
