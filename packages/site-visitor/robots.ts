/** What robots.txt of a site allows to a background check. */
import type { Capture, PageReader } from '@baize/site-reader'

type IsAllowed = (url: string) => Promise<boolean>

/**
 * A missing file, or a redirect to another site, allows everything. A file that cannot be read disallows
 * everything (RFC 9309), and so does one that takes too long to read. A check that did not ask for the file
 * may fetch everything.
 */
export function allowedBy(
  captures: readonly Capture[],
  userAgent: string,
  reader: Pick<PageReader, 'isUrlAllowed'>,
): IsAllowed {
  const robots = captures.findLast(({ purpose }) => purpose === 'robots')
  if (robots === undefined) return async () => true
  const { status, body, finalUrl } = robots
  if (status !== null && status >= 300 && status < 500) return async () => true
  if (status !== 200 || body === null || finalUrl === null) return async () => false
  const product = userAgent.split('/')[0] as string
  return url => reader.isUrlAllowed({ body, finalUrl, product, url })
}
