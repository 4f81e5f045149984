/** Finds affiliate programs: links to known systems, and links whose words or host name a program. */
import { isSharedHost, readDomain } from '@baize/names'
import { type SectionFinding, snippetCharactersMax } from '../finding.ts'
import type { PageLink } from '../page/page-fields.ts'
import { pageWords } from '../page/page-words.ts'
import { PhraseIndex } from '../page/phrase-index.ts'
import { readRuleFile } from '../read-rule-file.ts'
import type { MatchedPage } from './matched-page.ts'

type ByLanguage = Record<string, readonly string[]>
type LinkWords = {
  words: ByLanguage
  alone: ByLanguage
  never: readonly string[]
  host_labels: readonly string[]
  host_endings: readonly string[]
}

export const readLinkWords = () =>
  readRuleFile<{ affiliate_program: LinkWords }>('link-words').affiliate_program

/** A link with a longer text is a sentence or a headline. */
const charactersMax = 60

const declared = readLinkWords()
const programs = PhraseIndex.of(Object.values(declared.words).flat())
const never = PhraseIndex.of(declared.never)
const alone = new Set(
  Object.values(declared.alone)
    .flat()
    .map(text => pageWords(text).join(' ')),
)
const hostLabels = new Set(declared.host_labels)

function namesProgram({ text, host }: PageLink, ownHost: string): boolean {
  const words = text.length > charactersMax ? [] : pageWords(text)
  if (words.length === 0 || never.has(words)) return false
  return programs.has(words) || (host !== ownHost && alone.has(words.join(' ')))
}

/** Detects hosts of programs such as `partners.luckyotter.example` and `luckyotterpartners.example`. */
function isProgramHost({ host }: PageLink, domain: string): boolean {
  const labels = host.split('.')
  if (labels.length < 2 || (labels[0] === 'www' && labels.length === 2)) return false
  const reading = readDomain(host)
  if (!reading.ok || isSharedHost(reading.domain)) return false
  const front = host.slice(0, Math.max(0, host.length - reading.domain.length - 1)).split('.')
  if (front.some(label => hostLabels.has(label))) return true
  const [name, brand] = [nameOf(reading.domain), nameOf(domain)]
  return (
    name !== brand && name.startsWith(brand) && declared.host_endings.some(ending => name.endsWith(ending))
  )
}

/**
 * Returns the name in a domain without hyphens, because `lucky-otter.example` is also written `luckyotter`.
 */
const nameOf = (domain: string) => (domain.split('.')[0] as string).replaceAll('-', '')

const systemsFile = 'affiliate-systems/'
const urlCharactersMax = 500
const programsMax = 3

export function readAffiliatePrograms({ domain, page, matches }: MatchedPage): SectionFinding[] {
  const linked = matches
    .map(({ rule, url, strength, snippet }) => ({ url: url ?? '', rule, strength, snippet }))
    .filter(({ rule, url }) => rule.startsWith(systemsFile) && !countsClicks(url))
  // Several systems give no program, because a site that compares operators links to the systems of
  // several.
  const matched = new Set(linked.map(({ rule }) => rule)).size > 1 ? [] : linked
  const ownHost = URL.parse(page.url)?.hostname ?? domain
  const named = page.links.flatMap(link => {
    const isHost = isProgramHost(link, domain) && !countsClicks(link.url)
    const rule = namesProgram(link, ownHost) ? 'text' : isHost ? 'host' : null
    const snippet = `${link.text} ${link.url}`.slice(0, snippetCharactersMax)
    return rule === null ? [] : [{ url: link.url, rule: `link-words/${rule}`, strength: 1 as const, snippet }]
  })
  const found = new Map<string, SectionFinding>()
  for (const { url, ...about } of [...matched, ...named]) {
    const programUrl = programUrlOf(url)
    if (programUrl === null || found.has(programUrl) || found.size >= programsMax) continue
    const value = { program_url: programUrl }
    found.set(programUrl, { ...about, valueKey: programUrl, value })
  }
  return [...found.values()]
}

const clickPath = /^\/(?:click|c|visit|track|tracking|go|r|redirect|record|aff_c|processing|t)(?:[/.]|$)/i
const clickParameters = [
  'btag',
  'clickid',
  'click_id',
  'aff_id',
  'offer_id',
  'affid',
  'mid',
  'subid',
  'aff_sub',
]

/** Detects an affiliate's link to another operator, which counts the visitors who follow it. */
function countsClicks(link: string): boolean {
  const url = URL.parse(link)
  return (
    url === null || clickPath.test(url.pathname) || clickParameters.some(name => url.searchParams.has(name))
  )
}

/** Removes the fragment and campaign parameters. Returns null if the link is not a web page. */
function programUrlOf(link: string): string | null {
  const url = URL.parse(link)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  for (const name of [...url.searchParams.keys()])
    if (/^(?:utm_|ref$|btag$|gclid$)/.test(name)) url.searchParams.delete(name)
  return url.href.length <= urlCharactersMax ? url.href : null
}
