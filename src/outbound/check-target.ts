import { isIP } from 'node:net'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

const urlCharactersMax = 2_048

/** A checked URL. The operator allows its host to have a private address if `isAllowedHost`. */
export type Target = { url: URL; isAllowedHost: boolean }

/**
 * Checks the URL of a file: http or https, without credentials, no literal private address unless its
 * `host:port` is allowed. Addresses of names are checked when connecting.
 */
export function checkTarget(text: string, allowedHosts: readonly string[]): Target {
  if (text.length > urlCharactersMax)
    throw new OutboundError('bad_url', `the URL must have at most ${urlCharactersMax} characters`)
  if (!URL.canParse(text)) throw new OutboundError('bad_url', 'the URL is not valid')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('not_http', `${shown(url)} must be http or https`)
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('credentials_in_url', `${shown(url)} must not contain a user name or password`)
  const isAllowedHost = allowedHosts.includes(hostAndPort(url))
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isAllowedHost && isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new OutboundError('refused_address', `${shown(url)} is not a public address`)
  return { url, isAllowedHost }
}

/** Checks the target of a redirect like the first URL. A redirect from https to http is refused. */
export function checkRedirect(from: URL, location: string, allowedHosts: readonly string[]): Target {
  if (!URL.canParse(location, from.href))
    throw new OutboundError('bad_url', `${shown(from)} redirects to an invalid URL`)
  const target = checkTarget(new URL(location, from.href).href, allowedHosts)
  if (from.protocol === 'https:' && target.url.protocol === 'http:')
    throw new OutboundError('insecure_redirect', `${shown(from)} redirects from https to http`)
  return target
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

/** A URL without its query, which can contain a token. */
export function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
