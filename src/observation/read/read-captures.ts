/** Reads the captures of a check into findings and its outcome. Stored captures are read again the same way. */
import { readDomain } from '../../core/domain-name.ts'
import type { Capture } from '../capture.ts'
import type { CheckOutcome, Finding } from '../finding.ts'
import type { PageType } from './claims/choose-pages.ts'
import { nameserversOf, readDns } from './dns/read-dns.ts'
import { joinFindings } from './join-findings.ts'
import { rulesVersion } from './page/load-rules.ts'
import type { PageSource } from './page/page-fields.ts'
import type { PageReading } from './page/read-page.ts'
import { ownDomainsOf, readPageInThread } from './page/read-page-in-thread.ts'
import type { SiteContext } from './presence/judge-presence.ts'
import { hasParkingNameservers } from './presence/parking-nameservers.ts'
import { pageSeen, readPresence, rootPosition } from './presence/read-presence.ts'
import { readRegistration } from './registration/read-registration.ts'
import { type Relationship, relatedDomain, relatedFinding } from './sections/related-domains.ts'

export type CaptureReading = { outcome: CheckOutcome; findings: Finding[]; rulesVersion: string }

/** Certificates with more names belong to a content network. */
const certificateDomainsMax = 10

type PageReader = typeof readPageInThread
type ReadCapture = { capture: Capture; position: number; reading: PageReading | null }

/** `domain` is the site's registrable domain. `readPage` yields null for a page that exceeds the limits. */
export async function readCaptures(
  captures: readonly Capture[],
  { domain, ...context }: SiteContext & { domain: string },
  readPage: PageReader = readPageInThread,
): Promise<CaptureReading> {
  const readPageOf = (capture: Capture, pageType: PageType | null) => {
    const source = sourceOf(capture)
    return source === null ? null : readPage(source, domain, pageType)
  }
  const rootCapture = captures[rootPosition(captures)]
  const root = rootCapture === undefined ? null : await readPageOf(rootCapture, null)
  const legalPages = root?.legalPages ?? []
  const read = await Promise.all(
    captures.map(async (capture, position) => {
      const type = legalPages.find(({ url }) => url === capture.url)?.page_type ?? null
      const isRoot = capture === rootCapture
      return { capture, position, reading: isRoot ? root : await readPageOf(capture, type) }
    }),
  )
  const presence = readPresence(
    {
      domain,
      captures,
      rootReading: root,
      hasParkingNameservers: hasParkingNameservers(nameserversOf(captures), root),
    },
    context,
  )
  const isSite = presence.status === 'live'
  const pages = read.flatMap(each => pageFindingsOf(each, domain, isSite))
  const offersGambling = context.licensed || read.some(each => showsProduct(each))
  const findings = [
    ...presence.findings,
    ...readRegistration(captures, domain),
    ...readDns(captures),
    ...(offersGambling ? pages : pages.filter(finding => !isMention(finding))),
    ...(await relatedFindings(captures, domain)),
  ]
  return { outcome: presence.outcome, findings: joinFindings(findings), rulesVersion: rulesVersion() }
}

/** null: not a page, or without a body. */
function sourceOf({ kind, purpose, status, body, headers, finalUrl, url }: Capture): PageSource | null {
  const isPage = kind === 'http' && (purpose === 'root' || purpose === 'page')
  if (!isPage || status === null || body === null || body.length === 0) return null
  return { url: finalUrl ?? url, status, headers, body }
}

function showsProduct({ reading }: ReadCapture): boolean {
  if (reading === null) return false
  const { marks, productKinds } = pageSeen(reading)
  return productKinds.size > 0 || marks.has('launch_words')
}

const mentionedSections = new Set(['payment_methods', 'supplier_brands', 'affiliate_programs'])

/** A newspaper or a comparison of casinos names methods and suppliers, too. */
const isMention = ({ section, strength }: Finding): boolean =>
  strength === 1 && mentionedSections.has(section)

/** A page with another status, or that stands between the reader and the site, confirms nothing. */
function pageFindingsOf(
  { capture, position, reading }: ReadCapture,
  domain: string,
  isSite: boolean,
): Finding[] {
  if (reading === null || capture.status !== 200) return []
  const { marks } = pageSeen(reading)
  if (marks.has('challenge') || marks.has('region_page')) return []
  const isOwn = siteOf(capture.finalUrl ?? capture.url) === domain
  return reading.findings
    .filter(({ rule }) => rule === 'related/redirect' || (isSite && isOwn))
    .map(finding => ({ ...finding, capture: position }))
}

function siteOf(url: string): string | null {
  const reading = readDomain(URL.parse(url)?.hostname ?? '')
  return reading.ok ? reading.domain : null
}

type Pointed = { name: string; relationship: Relationship; evidence: string | null; capture: number }

async function relatedFindings(captures: readonly Capture[], domain: string): Promise<Finding[]> {
  const pointed = [...redirectOf(captures), ...certificateNames(captures, domain)].filter(
    ({ name }) => name !== domain,
  )
  if (pointed.length === 0) return []
  const own = await ownDomainsOf(pointed.map(({ name }) => name))
  return pointed
    .filter(({ name }) => own.includes(name))
    .map(({ name, relationship, evidence, capture }) => ({
      ...relatedFinding(name, relationship, evidence),
      capture,
    }))
}

/** A redirect of the root to another site, which a check does not follow. */
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
