/** Affiliate programs: links to known systems, and links whose words or host name a program. */
import { snippetCharactersMax } from '../../finding.ts'
import { isProgramHost, namesProgram } from './link-words.ts'
import type { MatchedPage, PageFinding } from './matched-page.ts'

const systemsFile = 'affiliate-systems/'
const urlCharactersMax = 500
const programsMax = 3

export function readAffiliatePrograms({ domain, page, matches }: MatchedPage): PageFinding[] {
  const linked = matches
    .map(({ rule, url, strength, snippet }) => ({ url: url ?? '', rule, strength, snippet }))
    .filter(({ rule, url }) => rule.startsWith(systemsFile) && !countsClicks(url))
  // A site has one system. One that compares operators links to those of several.
  const matched = new Set(linked.map(({ rule }) => rule)).size > 1 ? [] : linked
  const ownHost = URL.parse(page.url)?.hostname ?? domain
  const named = page.links.flatMap(link => {
    const isHost = isProgramHost(link, domain) && !countsClicks(link.url)
    const rule = namesProgram(link, ownHost) ? 'text' : isHost ? 'host' : null
    const snippet = `${link.text} ${link.url}`.slice(0, snippetCharactersMax)
    return rule === null ? [] : [{ url: link.url, rule: `link-words/${rule}`, strength: 1 as const, snippet }]
  })
  const found = new Map<string, PageFinding>()
  for (const { url, ...about } of [...matched, ...named]) {
    const programUrl = programUrlOf(url)
    if (programUrl === null || found.has(programUrl) || found.size >= programsMax) continue
    const value = { program_url: programUrl }
    found.set(programUrl, { ...about, section: 'affiliate_programs', valueKey: programUrl, value })
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

/** A link that an affiliate has to another operator, to count those who follow it. */
function countsClicks(link: string): boolean {
  const url = URL.parse(link)
  return (
    url === null || clickPath.test(url.pathname) || clickParameters.some(name => url.searchParams.has(name))
  )
}

/** Without fragment and campaign parameters; null: not a web page. */
function programUrlOf(link: string): string | null {
  const url = URL.parse(link)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  for (const name of [...url.searchParams.keys()])
    if (/^(?:utm_|ref$|btag$|gclid$)/.test(name)) url.searchParams.delete(name)
  return url.href.length <= urlCharactersMax ? url.href : null
}
