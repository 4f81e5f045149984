import robotsParser from 'robots-parser'
import { readDomain } from '../../core/domain-name.ts'
import type { Capture, CaptureFailure } from '../capture.ts'
import { answersOf, namesToVisit } from './look-up-dns.ts'
import { type SiteTools, SiteVisit } from './site-visit.ts'

/** The package exports the function itself; its types name a default export. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** From the first DNS query on; the rest of a minute is for the logo and for reading. */
const lookMsMax = 48_000

export type LookTools = SiteTools & {
  lookUpDns(domain: string): Promise<Capture>
  queryRdap(domain: string): Promise<Capture[]>
  /** URLs of the root page that are worth a request, the most useful first. */
  choosePages(root: Capture): Promise<string[]>
}

export type LookOptions = {
  /** A background check obeys robots.txt; a person who asks does not. */
  obeysRobots: boolean
  userAgent: string
}

/** Everything that a check receives: DNS, RDAP, the root page and further pages of the site. */
export async function lookAtSite(domain: string, tools: LookTools, options: LookOptions): Promise<Capture[]> {
  const endsAtMs = tools.now().getTime() + lookMsMax
  const dns = await tools.lookUpDns(domain)
  const names = namesToVisit(answersOf(dns))
  // A name that does not exist can still be registered.
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
  let mayFetch = (_url: string) => true
  if (options.obeysRobots) {
    captures.push(...(await captureEither(visit, host, { path: '/robots.txt', purpose: 'robots' })))
    const robots = captures.at(-1) as Capture
    mayFetch = allowedBy(robots, options.userAgent)
    const url = `https://${host}/`
    if (!mayFetch(url))
      return robots.failure === null ? [...captures, visit.skip(url, 'root', disallowed)] : captures
  }
  captures.push(...(await captureEither(visit, host, { path: '/', purpose: 'root' })))
  const root = captures.at(-1) as Capture
  if (root.status !== 200 || root.finalUrl === null || !isOfSite(root.finalUrl)) return captures
  for (const url of await tools.choosePages(root)) {
    if (visit.requestsLeft === 0 || tools.signal.aborted) break
    if (mayFetch(url) && isOfSite(url)) captures.push(await visit.capture(url, 'page'))
  }
  return captures
}

type Either = { path: string; purpose: 'robots' | 'root' }

/**
 * Only a server without HTTPS is asked without encryption. One whose certificate is wrong may lead to a host
 * with a right one; what it answers without encryption does not count.
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

const disallowed: CaptureFailure = {
  reason: 'robots_disallow',
  message: 'robots.txt does not allow this page to programs',
}

/**
 * A missing file, or a redirect to another site, allows everything; one that cannot be read disallows
 * everything (RFC 9309). It counts for the domain and its `www`, whichever has it.
 */
function allowedBy(robots: Capture, userAgent: string): (url: string) => boolean {
  const { status, body, finalUrl } = robots
  if (status !== null && status >= 300 && status < 500) return () => true
  if (status !== 200 || body === null || finalUrl === null) return () => false
  const rules = parseRobots(finalUrl, new TextDecoder().decode(body))
  const product = userAgent.split('/')[0] as string
  return url => {
    const { hostname, pathname, search } = new URL(url)
    const isOther = withoutWww(hostname) !== withoutWww(new URL(finalUrl).hostname)
    return isOther || rules.isAllowed(new URL(`${pathname}${search}`, finalUrl).href, product) !== false
  }
}

const withoutWww = (host: string) => host.replace(/^www\./, '')
