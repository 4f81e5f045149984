/** Reads `web_presence` and `launch` (§2.10) from the captures of a check. */
import { readDomain } from '@baize/names'
import type { Capture } from '../capture.ts'
import { nameserverOperator } from '../dns/fingerprints.ts'
import { dnsAnswersOf, isParkingNameserver } from '../dns/read-dns.ts'
import { type CheckOutcome, type Finding, snippetCharactersMax } from '../finding.ts'
import type { RuleMatch } from '../page/match-rules.ts'
import { refreshTarget } from '../page/page-fields.ts'
import type { PageReading } from '../page/read-page.ts'
import {
  judgePresence,
  type Mark,
  type PageSeen,
  type Presence,
  type RootSeen,
  type SiteContext,
  type SiteSeen,
} from './judge-presence.ts'

const visibleKinds = new Set(['text', 'payment_text', 'link_text', 'label', 'icon', 'input'])

export type SiteCaptures = {
  domain: string
  captures: readonly Capture[]
  /** The reading of the rendered root, or else of the last root capture; null if it is not readable. */
  rootReading: PageReading | null
  /** The position of the root as a browser showed it; null if it was not rendered. */
  rendered: number | null
  hasParkingNameservers: boolean
}

/**
 * Returns the index of the capture that represents the root, or -1. The http capture does so if https
 * failed.
 */
export function rootPosition(captures: readonly Capture[]): number {
  const isRoot = ({ kind, purpose }: Capture) => kind === 'http' && purpose === 'root'
  const answered = captures.findLastIndex(each => isRoot(each) && each.failure === null)
  return answered >= 0 ? answered : captures.findIndex(isRoot)
}

/** Matches the DOM of the root that a browser showed. */
export const isRenderedRoot = ({ kind, purpose, failure }: Capture) =>
  kind === 'dom' && purpose === 'root' && failure === null

export function readPresence(
  site: SiteCaptures,
  context: SiteContext,
): { status: Presence['status']; outcome: CheckOutcome; findings: Finding[] } {
  const position = site.rendered ?? rootPosition(site.captures)
  const root = site.captures[position] ?? null
  const judged = judgePresence(siteSeen(site, root), context)
  const presence = site.rendered === null ? asNotRendered(judged, site.captures, context) : judged
  const marks = site.rootReading?.matches ?? []
  const about = {
    valueKey: '',
    rule: 'presence',
    strength: 3 as const,
    capture: Math.max(0, position >= 0 ? position : indexOfDnsCapture(site.captures)),
    snippet: marks.length === 0 ? null : snippetOf(marks),
  }
  const webPresence = {
    status: presence.status,
    requested_url: root?.url ?? `https://${site.domain}/`,
    final_url: root?.finalUrl ?? null,
    redirect_chain: root?.redirectChain ?? [],
    http_status: root?.status ?? null,
    title: site.rootReading?.page.title ?? null,
    parked: presence.status === 'parked',
    legal_pages: presence.status === 'live' ? (site.rootReading?.legalPages ?? []) : [],
  }
  return {
    status: presence.status,
    outcome: presence.outcome,
    findings: [
      { ...about, section: 'web_presence', value: webPresence },
      { ...about, section: 'launch', value: presence.launch },
    ],
  }
}

/**
 * What a page sends may be invisible. Where a render failed, the last rendered launch stands, if there is
 * one. Where no renderer is configured, marks in the HTML count.
 */
function asNotRendered(presence: Presence, captures: readonly Capture[], context: SiteContext): Presence {
  const { launch, status } = presence
  if (status !== 'live') return presence
  const reasons = [...launch.reasons, 'not_rendered']
  const hasFailed = captures.some(({ kind, purpose }) => kind === 'dom' && purpose === 'root')
  if (!hasFailed) return { ...presence, launch: { ...launch, reasons } }
  const { renderedLaunch: last = null } = context
  if (last === null) return { ...presence, launch: { status: 'unknown', confidence: 'low', reasons } }
  const since = `rendered_${last.seenAt.toISOString().slice(0, 10)}`
  return { ...presence, launch: { status: last.status, confidence: 'low', reasons: ['not_rendered', since] } }
}

const indexOfDnsCapture = (captures: readonly Capture[]) => captures.findIndex(({ kind }) => kind === 'dns')

const snippetOf = (marks: readonly RuleMatch[]) =>
  marks
    .map(({ rule, snippet }) => `${rule.split('/')[1]}: ${(snippet ?? '').slice(0, 60)}`)
    .join('; ')
    .slice(0, snippetCharactersMax)
    .toWellFormed()

function siteSeen(
  { domain, captures, rootReading, hasParkingNameservers }: SiteCaptures,
  root: Capture | null,
): SiteSeen {
  const robots = captures.find(({ purpose, failure }) => purpose === 'robots' && failure !== null)
  const name = nameSeen(captures)
  if (root !== null) return { name, hasParkingNameservers, root: rootSeen(domain, root, rootReading) }
  const unread = robots?.failure?.reason ?? null
  return { name, hasParkingNameservers, root: unread === null ? null : { failure: unread } }
}

function rootSeen(domain: string, root: Capture, reading: PageReading | null): RootSeen {
  if (root.failure !== null || root.status === null) return { failure: root.failure?.reason ?? 'broken' }
  const hasBody = root.body !== null && root.body.length > 0
  return {
    failure: null,
    status: root.status,
    isChallenge: /\bchallenge\b/i.test(root.headers['cf-mitigated'] ?? ''),
    hasLeft:
      isOfAnother(domain, root.finalUrl) ||
      isOfAnother(domain, reading === null ? null : refreshTarget(reading.page)),
    page: reading === null ? (hasBody ? 'unreadable' : null) : pageSeen(reading),
  }
}

function isOfAnother(domain: string, url: string | null): boolean {
  const host = url === null ? null : URL.parse(url)?.hostname
  if (host === null || host === undefined) return false
  const reading = readDomain(host)
  return !reading.ok || reading.domain !== domain
}

export function pageSeen({ page, matches, isShell }: PageReading): PageSeen {
  const hasNothing = page.textCharacters === 0 && !page.hasImages && !page.hasForms
  return {
    marks: new Set(matches.map(({ value }) => value.mark as Mark)),
    productKinds: new Set(
      matches
        .filter(({ value, kind }) => value.mark === 'product' && visibleKinds.has(kind))
        .map(({ value }) => String(value.kind)),
    ),
    isEmpty: hasNothing && page.scripts === 0 && !page.hasFrames,
    isShell,
    hasOwnLinks: page.hasOwnLinks,
  }
}

/** Checks the name and `www`, because some sites have addresses for `www` only. */
function nameSeen(captures: readonly Capture[]): SiteSeen['name'] {
  const answers = dnsAnswersOf(captures)?.answers
  if (answers === undefined) return 'unresolved'
  const { a, aaaa, wwwA, wwwAaaa } = answers
  if ([a, aaaa, wwwA, wwwAaaa].some(({ outcome }) => outcome === 'answered')) return 'exists'
  const outcomes = [a.outcome, aaaa.outcome]
  if (outcomes.every(outcome => outcome === 'nxdomain')) return 'does_not_exist'
  const isKnown = outcomes.every(outcome => outcome === 'nxdomain' || outcome === 'no_data')
  return isKnown ? 'exists' : 'unresolved'
}

/**
 * Checks whether the nameservers prove parking. They do if they are a parking service's, or those of the
 * registrar whose own page the root shows. A registrar serves used and unused names from the same
 * nameservers.
 */
export function hasParkingNameservers(nameservers: readonly string[], root: PageReading | null): boolean {
  const registrars = new Set(
    (root?.matches ?? []).filter(({ value }) => value.mark === 'parked').map(({ value }) => value.operator),
  )
  return nameservers.some(host => {
    const operator = nameserverOperator(host)
    return isParkingNameserver(host) || (operator !== null && registrars.has(operator))
  })
}
