import robotsParser from 'robots-parser'

/** The package exports the function itself; its types name a default export. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** The part of a file that counts, which RFC 9309 wants to be 500 KiB at least. */
const robotsBytesMax = 512 * 1024

/** `finalUrl` is the address of the file; `product` the name of the program. */
export type RobotsTask = { body: Uint8Array; finalUrl: string; product: string; url: string }

/**
 * Returns whether the file lets the program fetch the URL. It counts for the domain and its `www`. A file of
 * 5 MB can take minutes and gigabytes, so threads read it.
 */
export function isUrlAllowed({ body, finalUrl, product, url }: RobotsTask): boolean {
  const { hostname, pathname, search } = new URL(url)
  if (withoutWww(hostname) !== withoutWww(new URL(finalUrl).hostname)) return true
  const rules = parseRobots(finalUrl, new TextDecoder().decode(body.subarray(0, robotsBytesMax)))
  return rules.isAllowed(new URL(`${pathname}${search}`, finalUrl).href, product) !== false
}

const withoutWww = (host: string) => host.replace(/^www\./, '')
