import { isIP } from 'node:net'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

const urlCharactersMax = 2_048

/** A URL that may be asked, and whether an operator has allowed its host, whatever address that has. */
export type Target = { url: URL; isAllowedHost: boolean }

/**
 * Reads the address of a file: http or https, without credentials, and no literal address outside the public internet
 * unless its `host:port` is among the allowed ones. What a name resolves to is judged when it is connected to.
 */
export function checkTarget(text: string, allowedHosts: readonly string[]): Target {
  if (text.length > urlCharactersMax)
    throw new OutboundError('bad_url', `the address is longer than ${urlCharactersMax} characters`)
  if (!URL.canParse(text))
    throw new OutboundError('bad_url', 'that is not an address that a file can be fetched from')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('not_http', `${shown(url)} is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('credentials_in_url', `${shown(url)} carries a user name or password`)
  const isAllowedHost = allowedHosts.includes(hostAndPort(url))
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isAllowedHost && isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new OutboundError('refused_address', `${shown(url)} is not an address of the public internet`)
  return { url, isAllowedHost }
}

/** Where a redirect leads: checked like the first address, and never from https to what anybody can read and alter. */
export function checkRedirect(from: URL, location: string, allowedHosts: readonly string[]): Target {
  if (!URL.canParse(location, from.href))
    throw new OutboundError('bad_url', `${shown(from)} redirects to something that is no address`)
  const target = checkTarget(new URL(location, from.href).href, allowedHosts)
  if (from.protocol === 'https:' && target.url.protocol === 'http:')
    throw new OutboundError('insecure_redirect', `${shown(from)} redirects from https to http`)
  return target
}

/** As settings write an allowed host: the port is always told. */
function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

/** An address as it may stand in a log: a query can hold a token. */
export function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
