/** What robots.txt of a site allows to a background check. */
import robotsParser from 'robots-parser'
import type { Capture } from '../capture.ts'

/** The package exports the function itself; its types name a default export. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/**
 * A missing file, or a redirect to another site, allows everything; one that cannot be read disallows
 * everything (RFC 9309). It counts for the domain and its `www`, whichever has it. A check that did not ask
 * for the file may fetch everything.
 */
export function allowedBy(captures: readonly Capture[], userAgent: string): (url: string) => boolean {
  const robots = captures.findLast(({ purpose }) => purpose === 'robots')
  if (robots === undefined) return () => true
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
