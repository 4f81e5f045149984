/**
 * Reads the captures of a check into findings and its outcome. Stored captures are read again the same way.
 */
import { readDomain, storableText } from '@baize/names'
import type { Capture } from './capture.ts'
import type { PageType } from './claims/choose-pages.ts'
import { nameserversOf, readDns } from './dns/read-dns.ts'
import type { CheckOutcome, Finding } from './finding.ts'
import { rulesVersion } from './page/load-rules.ts'
import type { PageSource } from './page/page-fields.ts'
import type { PageReading } from './page/read-page.ts'
import { openPageReader, type PageReader } from './page/read-page-in-thread.ts'
import { generalKinds, type SiteContext } from './presence/judge-presence.ts'
import {
  hasParkingNameservers,
  isRenderedRoot,
  pageSeen,
  readPresence,
  rootPosition,
} from './presence/read-presence.ts'
import { readRegistration } from './registration/read-registration.ts'
import { type Geo, joinGeo } from './sections/geo.ts'
import type { PageFinding } from './sections/page-findings.ts'
import { type Relationship, relatedDomain, relatedFinding } from './sections/related-domains.ts'

export type CaptureReading = { outcome: CheckOutcome; findings: Finding[]; rulesVersion: string }

/** A certificate with more names belongs to a content network. */
const certificateDomainsMax = 10

type ReadCapture = { capture: Capture; position: number; reading: PageReading | null }

/**
 * Reads captures of the site with this registrable domain. `readPage` yields null for a page that exceeds
 * the limits.
 */
export async function readCaptures(
  captures: readonly Capture[],
  { domain, ...context }: SiteContext & { domain: string },
  reader: Pick<PageReader, 'readPage' | 'ownDomainsOf'> = openPageReader(),
): Promise<CaptureReading> {
  const drawn = new Set(captures.filter(isDrawnPage).map(({ url }) => url))
  const isDrawn = ({ kind, url }: Capture) => kind === 'http' && drawn.has(url)
  const readPageOf = (capture: Capture, pageType: PageType | null, isDrawn = false) => {
    const source = sourceOf(capture)
    return source === null ? null : reader.readPage(source, domain, pageType, isDrawn)
  }
  const rootCapture = captures[rootPosition(captures)]
  const root = rootCapture === undefined ? null : await readPageOf(rootCapture, null)
  const legalPages = [...(root?.legalPages ?? [])]
  const read = await Promise.all(
    captures.map(async (capture, position) => {
      const type = legalPages.find(({ url }) => url === capture.url)?.page_type ?? null
      const isRead = capture === rootCapture && !(isDrawn(capture) && root?.page.hasData === true)
      return { capture, position, reading: isRead ? root : await readPageOf(capture, type, isDrawn(capture)) }
    }),
  )
  const rendered = read.find(({ capture, reading }) => isRenderedRoot(capture) && reading !== null)
  const rootReading = rendered?.reading ?? root
  const presence = readPresence(
    {
      domain,
      captures,
      rootReading,
      rendered: rendered?.position ?? null,
      hasParkingNameservers: hasParkingNameservers(nameserversOf(captures), rootReading),
    },
    context,
  )
  const isSite = presence.status === 'live'
  const offersGambling = context.licensed || read.some(each => showsProduct(each))
  const findings = [
    ...presence.findings,
    ...readRegistration(captures, domain),
    ...readDns(captures),
    ...read.flatMap(each => pageFindingsOf(each, domain, { isSite, offersGambling })),
    ...(await relatedFindings(captures, domain, reader)),
  ]
  return { outcome: presence.outcome, findings: joinFindings(findings), rulesVersion: rulesVersion() }
}

const isDrawnPage = ({ kind, failure, truncated }: Capture) =>
  kind === 'dom' && failure === null && !truncated

/** Returns null for a capture that is not a page, or has no body. */
function sourceOf({ kind, purpose, status, body, headers, finalUrl, url }: Capture): PageSource | null {
  const isPage = (kind === 'http' || kind === 'dom') && (purpose === 'root' || purpose === 'page')
  if (!isPage || status === null || body === null || body.length === 0) return null
  return { url: finalUrl ?? url, status, headers, body }
}

const isLicensee = ({ section, value }: PageFinding) =>
  section === 'legal_claims' && value.claim_type === 'licensee' && value.license_number !== null

/** Shops and travel sites have a registration and a cash desk, too. */
function showsProduct({ reading }: ReadCapture): boolean {
  if (reading === null) return false
  const { marks, productKinds } = pageSeen(reading)
  if (marks.has('about_gambling')) return false
  if ([...productKinds].some(kind => !generalKinds.has(kind)) || marks.has('launch_words')) return true
  return productKinds.size > 0 && (marks.has('games_link') || reading.findings.some(isLicensee))
}

/** Reads the findings of a page. A status other than 200, a challenge or a region page confirms nothing. */
function pageFindingsOf(
  { capture, position, reading }: ReadCapture,
  domain: string,
  { isSite, offersGambling }: { isSite: boolean; offersGambling: boolean },
): Finding[] {
  if (reading === null || capture.status !== 200) return []
  const { marks } = pageSeen(reading)
  if (marks.has('challenge') || marks.has('region_page')) return []
  const isOwn = siteOf(capture.finalUrl ?? capture.url) === domain
  return reading.findings
    .filter(({ rule }) => rule === 'related/redirect' || (isSite && isOwn))
    .filter(({ isMention }) => offersGambling || !isMention)
    .map(({ isMention: _, ...finding }) => ({ ...finding, capture: position }))
}

function siteOf(url: string): string | null {
  const reading = readDomain(URL.parse(url)?.hostname ?? '')
  return reading.ok ? reading.domain : null
}

type Pointed = { name: string; relationship: Relationship; evidence: string | null; capture: number }

async function relatedFindings(
  captures: readonly Capture[],
  domain: string,
  reader: Pick<PageReader, 'ownDomainsOf'>,
): Promise<Finding[]> {
  const pointed = [...redirectOf(captures), ...certificateNames(captures, domain)].filter(
    ({ name }) => name !== domain,
  )
  if (pointed.length === 0) return []
  const own = await reader.ownDomainsOf(pointed.map(({ name }) => name))
  return pointed
    .filter(({ name }) => own.includes(name))
    .map(({ name, relationship, evidence, capture }) => ({
      ...relatedFinding(name, relationship, evidence),
      section: 'related_domains',
      capture,
    }))
}

/** Returns the redirect of the root to another site, which a check does not follow. */
function redirectOf(captures: readonly Capture[]): Pointed[] {
  const position = rootPosition(captures)
  const { failure = null, finalUrl = null } = captures[position] ?? {}
  const name = failure === null && finalUrl !== null ? siteOf(finalUrl) : null
  return name === null ? [] : [{ name, relationship: 'redirect', evidence: finalUrl, capture: position }]
}

function certificateNames(captures: readonly Capture[], domain: string): Pointed[] {
  return captures.flatMap((capture, position) => {
    const isOwn = siteOf(capture.finalUrl ?? capture.url) === domain
    const names = capture.certificate?.names.map(name => relatedDomain(name.replace(/^\*\./, ''))) ?? []
    const domains = new Set(names.filter(name => name !== null))
    if (!isOwn || capture.failure !== null || domains.size > certificateDomainsMax || !domains.has(domain))
      return []
    return [...domains].map(name => ({
      ...{ name, relationship: 'certificate' as const, evidence: name, capture: position },
    }))
  })
}

/** Limits keys, because an index of PostgreSQL accepts entries of 2,700 bytes. */
const keyBytesMax = 2_000

/**
 * Returns one storable finding for each value: the strongest of equal values, and then the most detailed.
 * `geo` has one value for all pages.
 */
function joinFindings(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>()
  const storables = findings.map(storable)
  for (const finding of storables) {
    const key = `${finding.section} ${finding.valueKey}`
    const before = best.get(key)
    if (before === undefined || weightOf(before) < weightOf(finding)) best.set(key, finding)
  }
  const geo = storables.filter(({ section }) => section === 'geo').map(({ value }) => value as Geo)
  return [...best.values()]
    .filter(({ valueKey }) => Buffer.byteLength(valueKey) <= keyBytesMax)
    .map(finding => (finding.section === 'geo' ? { ...finding, value: joinGeo(geo) } : finding))
}

/**
 * Counts the members of a value to break ties. An imprint's claim has the company's number, and a footer's
 * may not.
 */
const weightOf = ({ strength, value }: Finding) =>
  strength * 100 + Math.min(99, Object.values(value).filter(member => member !== null).length)

/** Replaces characters that JSON-LD can spell and PostgreSQL cannot store. */
const storable = (finding: Finding): Finding => ({
  ...finding,
  valueKey: storableText(finding.valueKey),
  value: storableValue(finding.value) as Finding['value'],
  snippet: finding.snippet === null ? null : storableText(finding.snippet),
})

/** Recursion is safe, because the shape of a section limits the depth of its values. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storableValue)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, storableValue(member)]))
}
