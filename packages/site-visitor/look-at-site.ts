import { readDomain } from '@baize/names'
import type { Capture, PageReader } from '@baize/site-reader'
import { dnsAnswersOf, namesToVisit } from './look-up-dns.ts'
import { type RenderTools, renderSite } from './render-site.ts'
import { allowedBy } from './robots.ts'
import { type SiteTools, SiteVisit } from './site-visit.ts'

/** Begins with the first DNS query. The remaining seconds of a minute are for the logo and for reading. */
const lookMsMax = 48_000

export type LookTools = SiteTools &
  RenderTools & {
    lookUpDns(domain: string): Promise<Capture>
    queryRdap(domain: string): Promise<Capture[]>
    reader: PageReader
  }

export type LookOptions = {
  /** Whether the check obeys robots.txt. A background check does; one that a person asked for does not. */
  obeysRobots: boolean
  userAgent: string
}

/** Returns everything that a check receives: DNS, RDAP, the root page and further pages of the site. */
export async function lookAtSite(domain: string, tools: LookTools, options: LookOptions): Promise<Capture[]> {
  const endsAtMs = tools.now().getTime() + lookMsMax
  const dns = await tools.lookUpDns(domain)
  const names = namesToVisit(dnsAnswersOf(dns))
  // RDAP is asked even about a name that does not exist, because it can be registered.
  const [rdap, pages] = await Promise.all([
    tools.queryRdap(domain),
    names.apex || names.www
      ? visitSite(domain, names.apex ? domain : `www.${domain}`, { tools, options, endsAtMs })
      : [],
  ])
  return [dns, ...rdap, ...pages]
}

type Visiting = { tools: LookTools; options: LookOptions; endsAtMs: number }

async function visitSite(
  domain: string,
  host: string,
  { tools, options, endsAtMs }: Visiting,
): Promise<Capture[]> {
  const isOfSite = (url: string) => siteOf(url) === domain
  const visit = new SiteVisit(domain, tools, { endsAtMs, isOfSite })
  const captures: Capture[] = []
  if (options.obeysRobots) {
    captures.push(...(await captureEither(visit, host, { path: '/robots.txt', purpose: 'robots' })))
    if (captures.at(-1)?.failure !== null) return captures
    visit.mayFetch = allowedBy(captures, options.userAgent, tools.reader)
  }
  captures.push(...(await captureEither(visit, host, { path: '/', purpose: 'root' })))
  const root = captures.at(-1) as Capture
  if (root.status !== 200 || root.finalUrl === null || !isOfSite(root.finalUrl)) return captures
  for (const url of await tools.choosePages(root)) {
    if (visit.requestsLeft === 0 || tools.signal.aborted) break
    if (isOfSite(url) && (await visit.mayFetch(url))) captures.push(await visit.capture(url, 'page'))
  }
  const mayFetch = (url: string) => visit.mayFetch(url)
  captures.push(...(await renderSite(root, tools, { endsAtMs, isOfSite, mayFetch })))
  return captures
}

type Either = { path: string; purpose: 'robots' | 'root' }

/**
 * Sends no request without encryption unless the server lacks HTTPS. A server with a wrong certificate may
 * lead to a host with a right one, and what it answers without encryption does not count.
 */
async function captureEither(visit: SiteVisit, host: string, { path, purpose }: Either): Promise<Capture[]> {
  const secure = await visit.capture(`https://${host}${path}`, purpose)
  const reason = secure.failure?.reason
  if (reason !== 'refused_connection' && reason !== 'tls') return [secure]
  const plain = await visit.capture(`http://${host}${path}`, purpose)
  const counts = reason === 'refused_connection' || plain.finalUrl?.startsWith('https:') === true
  return counts ? [secure, plain] : [secure]
}

function siteOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const reading = readDomain(new URL(url).hostname)
  return reading.ok ? reading.domain : null
}
