import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutboundError } from './outbound-error.ts'

/** Matches global unicast addresses as assigned by IANA. ipaddr.js also calls unassigned ranges unicast. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** The metadata service of Azure, which returns secrets, has a public address. */
const azureHost = '168.63.129.16'

/**
 * Returns whether an address is public: not loopback, private, link-local, shared, reserved or multicast,
 * nor an IPv6 form for translation to IPv4. An IPv4-mapped address is checked as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || address.toString() === azureHost) return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIPv6)
}

const urlCharactersMax = 2_048

/** A checked URL. With `isAllowedHost`, the operator allows its host to have a private address. */
export type Target = { url: URL; isAllowedHost: boolean }

/**
 * Checks the URL of a file. It must be http or https, without credentials or a literal private address,
 * unless its `host:port` is allowed. Addresses of names are checked when connecting.
 */
export function checkTarget(text: string, allowedHosts: readonly string[]): Target {
  if (text.length > urlCharactersMax)
    throw new OutboundError('bad_url', `the URL must have at most ${urlCharactersMax} characters`)
  if (!URL.canParse(text)) throw new OutboundError('bad_url', 'the URL is not valid')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('not_http', `${shownUrl(url)} must be http or https`)
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('credentials_in_url', `${shownUrl(url)} must not contain a user name or password`)
  const isAllowedHost = allowedHosts.includes(hostAndPort(url))
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isAllowedHost && isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new OutboundError('refused_address', `${shownUrl(url)} is not a public address`)
  return { url, isAllowedHost }
}

/** Checks the target of a redirect like the first URL. A redirect from https to http is refused. */
export function checkRedirect(from: URL, location: string, allowedHosts: readonly string[]): Target {
  if (!URL.canParse(location, from.href))
    throw new OutboundError('bad_url', `${shownUrl(from)} redirects to an invalid URL`)
  const target = checkTarget(new URL(location, from.href).href, allowedHosts)
  if (from.protocol === 'https:' && target.url.protocol === 'http:')
    throw new OutboundError('insecure_redirect', `${shownUrl(from)} redirects from https to http`)
  return target
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

/** Returns a URL without its query, which can contain a token. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
