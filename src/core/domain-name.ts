/**
 * What a person types or a regulator prints, read as a domain (contract section 1, "Domain input"): a URL or
 * host in any spelling → the registrable domain in ASCII lower case, private suffixes counted as suffixes, so
 * that `casino.blogspot.com` is a site of its own. Nothing is guessed: a name that is not certain is a
 * problem.
 */
import { isIPv6 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

export const domainInputCharactersMax = 2_048
/** RFC 1035, without the root's dot. */
const hostCharactersMax = 253
const labelCharactersMax = 63

export type DomainProblem =
  | 'empty'
  | 'ip_address'
  | 'not_a_domain'
  | 'bare_suffix'
  | 'underscore'
  | 'too_long'

export type DomainReading =
  | {
      ok: true
      /** The registrable domain. */
      domain: string
      /** The host as given, in ASCII lower case; `www.` and everything else deeper is kept. */
      host: string
      /** What stands behind the host, without fragment; null where that is only the root. */
      path: string | null
    }
  | { ok: false; problem: DomainProblem }

/** RFC 2606: never delegated, and the names of the demo world. */
const reservedSuffixes = new Set(['test', 'example', 'invalid', 'localhost'])

/** A host that is spelt as it is kept, which is how programs send it: there is nothing to bring to one spelling. */
const plainHost = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/

const isPlain = (text: string) =>
  text.length <= hostCharactersMax && plainHost.test(text) && !text.includes('xn--')

export function readDomain(input: string): DomainReading {
  if (input.length > domainInputCharactersMax) return refuse('too_long')
  if (isPlain(input)) return ofHost(input, null)
  const text = withoutInvisibles(input)
  if (text === '') return refuse('empty')

  const { authority, rest } = splitUrl(text)
  if (isIPv6(authority) || /^\[[^\]]*\](:\d*)?$/.test(authority)) return refuse('ip_address')
  const written = authority.replace(/:\d{0,5}$/, '')
  // domainToASCII drops tabs and line ends in the middle, which would join two words to one name.
  if (/[\s\p{Cc}]/u.test(written)) return refuse('not_a_domain')

  const host = domainToASCII(written).replace(/\.$/, '')
  const problem = problemOfHost(host, written)
  if (problem !== null) return refuse(problem)
  return ofHost(host, pathOf(rest))
}

function ofHost(host: string, path: string | null): DomainReading {
  const domain = registrableDomain(host)
  return domain.ok ? { ok: true, domain: domain.name, host, path } : refuse(domain.problem)
}

function refuse(problem: DomainProblem): DomainReading {
  return { ok: false, problem }
}

const suffixOf = (host: string) =>
  parse(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false })

/**
 * Zero-width spaces, soft hyphens and byte order marks are typing accidents and go, also percent-encoded. A
 * (non-)joiner goes only beside ASCII: between Persian or Indic letters it tells two registered names apart.
 */
function withoutInvisibles(input: string): string {
  return input
    .replaceAll(/%e2%80%8[bef]|%e2%81%a0|%ef%bb%bf|%c2%ad/gi, '')
    .replaceAll(/^(?:%20|%c2%a0)+|(?:%20|%c2%a0)+$/gi, '')
    .replaceAll(/[\u200b\u200e\u200f\u2060\ufeff\u00ad]/g, '')
    .replaceAll(/(?<=^|[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~]|$)/g, '')
    .trim()
}

/** A backslash counts as a slash, as browsers read it, so that nothing behind it can pose as the host. */
function splitUrl(text: string): { authority: string; rest: string } {
  const body = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}|^https?:[/\\]?(?!\d+(?:[/\\?#]|$))/i, '')
  const end = body.search(/[/\\?#]/)
  const authority = end < 0 ? body : body.slice(0, end)
  return { authority: authority.slice(authority.lastIndexOf('@') + 1), rest: end < 0 ? '' : body.slice(end) }
}

function pathOf(rest: string): string | null {
  // A fragment never leaves the browser: it names no other page than the one before it.
  const path = rest.replace(/#.*$/s, '').trim().replace(/\?$/, '')
  return /^[/\\]*$/.test(path) ? null : path
}

/** What is wrong with a host before anyone asks who registered it; null when nothing is. */
function problemOfHost(host: string, written: string): DomainProblem | null {
  // URLs read every host whose last label is a number as an IPv4 address, in decimal, octal or hexadecimal.
  const asciiLast = written.normalize('NFKC').replace(/\.+$/, '').split('.').at(-1) ?? ''
  if (/^(?:\d+|0x[\da-f]*)$/i.test(asciiLast) || /^\d+\.\d+\.\d+\.\d+$/.test(host)) return 'ip_address'
  if (host === '') return 'not_a_domain'
  const labels = host.split('.')
  if (labels.includes('') || !/^[a-z0-9._-]+$/.test(host)) return 'not_a_domain'
  if (host.length > hostCharactersMax || labels.some(label => label.length > labelCharactersMax))
    return 'too_long'
  return labels.every(isOneSpelling) ? null : 'not_a_domain'
}

/**
 * Punycode that stands for nothing, or for a name with a plainer spelling, is refused as browsers refuse it.
 */
function isOneSpelling(label: string): boolean {
  if (!label.startsWith('xn--')) return true
  const unicode = domainToUnicode(label)
  return unicode !== label && domainToASCII(unicode) === label
}

type Registrable = { ok: true; name: string } | { ok: false; problem: DomainProblem }

function registrableDomain(host: string): Registrable {
  const { domain, publicSuffix, isIcann, isPrivate } = suffixOf(host)
  const known = isIcann === true || isPrivate === true || reservedSuffixes.has(publicSuffix ?? '')
  if (!known || publicSuffix === null) return { ok: false, problem: 'not_a_domain' }
  // blogspot.com is a suffix and a host: it stands for itself, and so does its www.
  const itself = domain === null || domain === `www.${publicSuffix}`
  if (isPrivate && itself) return checked(publicSuffix)
  if (domain === null) return { ok: false, problem: 'bare_suffix' }
  return checked(domain)
}

function checked(name: string): Registrable {
  if (name.includes('_')) return { ok: false, problem: 'underscore' }
  // RFC 5891 lets no label begin or end with a hyphen; deeper labels do so in the wild and resolve.
  const hyphened = name.split('.').some(label => label.startsWith('-') || label.endsWith('-'))
  return hyphened ? { ok: false, problem: 'not_a_domain' } : { ok: true, name }
}
