/**
 * Finds other registrable domains that a page presents as its own: redirects, canonical, language versions,
 * and links to the same brand. Hosts of suppliers, content networks and social networks are excluded.
 */
import { isSharedHost, productLabels, readDomain, siteLabels } from '@baize/names'
import type { SectionFinding, Strength } from '../finding.ts'
import type { CompiledRules } from '../page/compile-rules.ts'
import { type PageFields, refreshTarget } from '../page/page-fields.ts'
import { pageWords } from '../page/page-words.ts'
import { PhraseIndex } from '../page/phrase-index.ts'
import { readRuleFile } from '../read-rule-file.ts'
import type { MatchedPage } from './matched-page.ts'

export type Relationship =
  | 'redirect'
  | 'canonical'
  | 'hreflang'
  | 'certificate'
  | 'shared_brand'
  | 'mirror'
  | 'sister_site'

const strengths: Record<Relationship, Strength> = {
  redirect: 3,
  canonical: 2,
  hreflang: 2,
  certificate: 2,
  shared_brand: 1,
  mirror: 1,
  sister_site: 1,
}
const relatedMax = 50
const sentenceCharactersMax = 1_000
/**
 * Limits sentences about sister brands and about mirrors. Each sentence is searched for the text of each
 * link.
 */
const sentencesMax = 50
const linkCharactersMax = 120
const linkWordsMax = 8
/** Matches the text of a link that is itself an address. */
const hostLike = /^(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}\/?$/i

const words = readRuleFile<Record<'mirror' | 'sisters' | 'content_networks', string[]>>('related-words')
const mirrorWords = PhraseIndex.of(words.mirror)
const sisterWords = PhraseIndex.of(words.sisters)
/** A shorter name is not compared, because many other names begin with it. */
const brandCharactersMin = 5

const contentNetworks = new Set(words.content_networks)

export function readRelatedDomains({ domain, page, rules }: MatchedPage): SectionFinding[] {
  const pointed: [Relationship, string | null][] = [
    ['redirect', page.url],
    ['redirect', refreshTarget(page)],
    ['canonical', page.canonical],
    ...page.alternates.map(({ lang, url }): [Relationship, string] => [
      lang === '' ? 'canonical' : 'hreflang',
      url,
    ]),
  ]
  const brands = page.links
    .filter(({ host, text }) => isSameBrand(domain, relatedDomain(host)) || isShownBrand(domain, host, text))
    .map(({ url }): [Relationship, string] => ['shared_brand', url])
  const written = page.texts
    .flatMap(({ text }) => hostsIn(text))
    .filter(host => isSameBrand(domain, relatedDomain(host)))
    .map((host): [Relationship, string] => ['shared_brand', `https://${host}/`])
  const found = [...pointed, ...brands, ...written, ...namedLinks(page)].flatMap(([relationship, url]) => {
    const host = url === null ? undefined : URL.parse(url)?.hostname
    const related = host === undefined ? null : relatedDomain(host)
    return related === null || related === domain || isOthers(related, rules)
      ? []
      : [relatedFinding(related, relationship, url)]
  })
  const named = new Set<string>()
  return found
    .filter(({ valueKey, rule, snippet }) => {
      const isSame =
        rule === 'related/mirror' || rule === 'related/shared_brand'
          ? named.has(valueKey) && snippet === `https://${valueKey}/`
          : false
      named.add(valueKey)
      return !isSame
    })
    .slice(0, relatedMax)
}

/** Returns links that a page calls its other addresses or sister brands. */
function namedLinks({ links, texts }: PageFields): [Relationship, string][] {
  const all = texts
    .flatMap(({ text }) => text.split(/(?<=[.!?。])\s+/))
    .map(text => ({ text, words: pageWords(text.slice(0, sentenceCharactersMax)) }))
  const having = (phrases: typeof sisterWords) =>
    all
      .filter(({ words }) => phrases.has(words))
      .slice(0, sentencesMax)
      .map(({ text }) => text)
  const [ofSisters, ofMirrors] = [having(sisterWords), having(mirrorWords)]
  const sentences = [...ofSisters, ...belowSisters(texts).slice(0, sentencesMax)]
  const written = ofMirrors
    .flatMap(hostsIn)
    .map((host): [Relationship, string] => ['mirror', `https://${host}/`])
  const linked = links.flatMap(({ url, text }): [Relationship, string][] => {
    const words = text.length > linkCharactersMax ? [] : pageWords(text)
    if (words.length === 0 || words.length > linkWordsMax) return []
    const isHostOfMirror = hostLike.test(text) && ofMirrors.some(sentence => sentence.includes(text))
    if (isHostOfMirror || mirrorWords.has(words)) return [['mirror', url]]
    return sentences.some(sentence => sentence.includes(text)) ? [['sister_site', url]] : []
  })
  return [...linked, ...written]
}

/** Returns short texts below a heading about sister brands. */
function belowSisters(texts: PageFields['texts']): string[] {
  return texts.flatMap(({ text, tag, depth }, index) => {
    if (!headings.has(tag) && !text.endsWith(':')) return []
    const words = pageWords(text.slice(0, sentenceCharactersMax))
    if (words.length > headingWordsMax || !sisterWords.has(words)) return []
    const below: string[] = []
    for (const next of texts.slice(index + 1, index + 1 + sistersMax)) {
      if (headings.has(next.tag) || next.low < depth || pageWords(next.text).length > linkWordsMax) break
      below.push(next.text)
    }
    return below
  })
}

const headingWordsMax = 8
const sistersMax = 20
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const writtenHost = /(?<![@\w.-])(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![\w@-])/gi
const hostsMax = 20

const hostsIn = (text: string): string[] =>
  [...text.slice(0, sentenceCharactersMax).matchAll(writtenHost)]
    .slice(0, hostsMax)
    .map(([host]) => host.toLowerCase())

export function relatedFinding(
  domain: string,
  relationship: Relationship,
  evidence: string | null,
): SectionFinding {
  return {
    valueKey: domain,
    value: { related_domain_normalized: domain, relationship },
    rule: `related/${relationship}`,
    strength: strengths[relationship],
    snippet: evidence?.slice(0, 300) ?? null,
  }
}

/** Returns null if the host has no registrable domain. */
export function relatedDomain(host: string): string | null {
  const reading = host === '' ? null : readDomain(host)
  return reading?.ok === true ? reading.domain : null
}

export function isOthers(domain: string, rules: CompiledRules): boolean {
  if (isSharedHost(domain) || contentNetworks.has(domain)) return true
  let isKnown = false
  const note = () => {
    isKnown = true
  }
  rules.hosts.find(domain, '', note)
  rules.links.find(domain, '', note)
  return isKnown
}

/** Detects domains of one brand: `lucky-otter.de` and `luckyotterbet.com` are luckyotter.com's. */
function isSameBrand(domain: string, other: string | null): boolean {
  if (other === null || other === domain) return false
  const [one, two] = [brandOf(domain), brandOf(other)].toSorted((a, b) => a.length - b.length)
  if (one === undefined || two === undefined || one.length < brandCharactersMin || !two.startsWith(one))
    return false
  const rest = two.slice(one.length)
  return (
    rest === '' ||
    isCountry(rest) ||
    siteLabels.has(rest) ||
    productLabels.has(rest) ||
    /^\d{1,3}$/.test(rest)
  )
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCountry = (rest: string) => /^[a-z]{2}$/.test(rest) && countries.of(rest.toUpperCase()) !== undefined

/**
 * Detects a link that shows its address with the brand, `casino` or `bet` left out: `loonlake-roc.example`
 * of loonlakecasino.
 */
function isShownBrand(domain: string, host: string, text: string): boolean {
  const other = relatedDomain(host)
  if (other === null || other === domain || !hostLike.test(text)) return false
  const core = brandOf(domain).replace(
    /(?:casino|kasino|cazino|kazino|bet|bets|slots|poker|bingo|sport)$/,
    '',
  )
  return core.length >= coreCharactersMin && brandOf(other).startsWith(core)
}

const coreCharactersMin = 7
const brandOf = (domain: string) => (domain.split('.')[0] as string).replaceAll('-', '')
