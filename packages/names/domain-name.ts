/**
 * Reads a URL or host in any spelling as a registrable domain in ASCII lower case (contract section 1,
 * "Domain input"). Private suffixes count as suffixes, so that `casino.blogspot.com` is a site of its own.
 * Ambiguous input is a problem, never a guess.
 */
import { isIPv6 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import tldts from 'tldts/package.json' with { type: 'json' }

/** The package whose copy of the Public Suffix List decides what a registrable domain is. */
export const publicSuffixList = { package: tldts.name, version: tldts.version }

export const domainInputCharactersMax = 2_048
/** RFC 1035 limits a host to 253 characters, without the trailing dot. */
const hostCharactersMax = 253
const labelCharactersMax = 63

export type DomainProblem =
  | 'empty'
  | 'ip_address'
  | 'no_dot' // one label: www, slotmachine
  | 'unknown_suffix' // casino.vom, casino.comua
  | 'bare_suffix' // co.uk
  | 'comma_for_dot' // www,casino.com
  | 'blank_inside' // casino 18.com
  | 'several_sites' // a.com, b.com
  | 'empty_label' // a..com
  | 'edge_hyphen' // -casino.com
  | 'underscore' // my_casino.com
  | 'forbidden_character'
  | 'bad_punycode' // xn--a.com
  | 'too_long'
  | 'mail_address' // mailto:a@casino.com, a@casino.com
  | 'other_scheme' // ftp://casino.com, javascript:alert(1)
  | 'not_a_domain'

export type DomainReading =
  | {
      ok: true
      domain: string
      /** The whole host in ASCII lower case, with `www.` and other subdomains. */
      host: string
      /** The path and query without the fragment; null for the root. */
      path: string | null
    }
  | { ok: false; problem: DomainProblem }

/** RFC 2606 reserves these suffixes for tests and examples. The demo world uses them. */
const reservedSuffixes = new Set(['test', 'example'])

/** Matches a host in canonical form, which most programs send. */
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
  const other = problemOfKind(text, authority)
  if (other !== null) return refuse(other)
  const written = authority.replace(/:\d{0,5}$/, '')
  // domainToASCII drops tabs and line breaks, which would join two words to one name.
  if (/[\s,\p{Cc}]/u.test(written)) return refuse(problemOfParts(written))

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
 * Removes zero-width spaces, soft hyphens and byte order marks, also percent-encoded. A (non-)joiner is
 * removed only beside ASCII: between Persian or Indic letters it distinguishes two registered names.
 */
function withoutInvisibles(input: string): string {
  return input
    .replaceAll(/%e2%80%8[bef]|%e2%81%a0|%ef%bb%bf|%c2%ad/gi, '')
    .replaceAll(/^(?:%20|%c2%a0)+|(?:%20|%c2%a0)+$/gi, '')
    .replaceAll(/[\u200b\u200e\u200f\u2060\ufeff\u00ad]/g, '')
    .replaceAll(/(?<=^|[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~]|$)/g, '')
    .trim()
}

/** Matches the slashes of a URL with the scheme in front. Those of `http:` may be missing, as in browsers. */
const urlStart = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}|^https?:[/\\]?(?!\d+(?:[/\\?#]|$))/i

/**
 * A backslash counts as a slash, as in browsers, so that no text after it can pose as the host. Only a URL
 * has credentials; elsewhere `a@casino.com` is a mail address.
 */
function splitUrl(text: string): { authority: string; rest: string } {
  const body = text.replace(urlStart, '')
  const end = body.search(/[/\\?#]/)
  const authority = end < 0 ? body : body.slice(0, end)
  const host = urlStart.test(text) ? authority.replace(/^\S*@/, '') : authority
  return { authority: host, rest: end < 0 ? '' : body.slice(end) }
}

/** Matches a scheme without slashes. It has no dot, and what follows is no port as in `localhost:8080`. */
const bareScheme = /^([a-z][a-z0-9+-]*):(?!\s|\d{0,5}(?:[/\\?#]|$))/i
const scheme = /^([a-z][a-z0-9+.-]*):[/\\]{2}/i
/** Matches `http` and `https`, also misspelt (`htps`) and made harmless (`hxxp`). */
const webScheme = /^h[tx]{1,3}p{1,2}s{0,2}$/i

/** Refuses addresses that lead to no website: mail addresses, files, apps, scripts. */
function problemOfKind(text: string, authority: string): DomainProblem | null {
  const name = (scheme.exec(text) ?? bareScheme.exec(text))?.[1]
  if (/^mailto$/i.test(name ?? '')) return 'mail_address'
  if (name !== undefined) return webScheme.test(name) ? null : 'other_scheme'
  return /^[^\s@]+@[^\s@]+$/.test(authority) ? 'mail_address' : null
}

function pathOf(rest: string): string | null {
  // Browsers do not send the fragment.
  const path = rest.replace(/#.*$/s, '').trim().replace(/\?$/, '')
  return /^[/\\]*$/.test(path) ? null : path
}

function problemOfHost(host: string, written: string): DomainProblem | null {
  // In URLs a host whose last label is a number is an IPv4 address: decimal, octal or hexadecimal.
  const asciiLast = written.normalize('NFKC').replace(/\.+$/, '').split('.').at(-1) ?? ''
  if (/^(?:\d+|0x[\da-f]*)$/i.test(asciiLast) || /^\d+\.\d+\.\d+\.\d+$/.test(host)) return 'ip_address'
  if (!/[\p{L}\p{N}]/u.test(written)) return 'not_a_domain'
  if (host === '') return /(?:^|\.)xn--/i.test(written) ? 'bad_punycode' : 'forbidden_character'
  const labels = host.split('.')
  if (!/^[a-z0-9._-]+$/.test(host)) return 'forbidden_character'
  if (labels.includes('')) return 'empty_label'
  if (host.length > hostCharactersMax || labels.some(label => label.length > labelCharactersMax))
    return 'too_long'
  return labels.every(isOneSpelling) ? null : 'bad_punycode'
}

/**
 * Explains a host with blanks or commas: several hosts, a comma in place of a dot, or a blank inside a
 * host.
 */
function problemOfParts(written: string): DomainProblem {
  const parts = written.split(/[\s,]+/).filter(part => part !== '')
  const isDomain = (text: string) => !/[\s,]/.test(text) && readDomain(text).ok
  if (parts.length < 2) return parts.length === 0 ? 'not_a_domain' : 'forbidden_character'
  if (parts.every(isDomain)) return 'several_sites'
  if (isDomain(written.replaceAll(/(?<=\S)\s*,\s*(?=\S)/g, '.'))) return 'comma_for_dot'
  if (isDomain(parts.join('')) && !written.includes(',')) return 'blank_inside'
  return 'not_a_domain'
}

/** Returns false for punycode that does not decode or that has a plainer spelling. Browsers refuse it too. */
function isOneSpelling(label: string): boolean {
  if (!label.startsWith('xn--')) return true
  const unicode = domainToUnicode(label)
  return unicode !== label && domainToASCII(unicode) === label
}

type Registrable = { ok: true; name: string } | { ok: false; problem: DomainProblem }

function registrableDomain(host: string): Registrable {
  const { domain, publicSuffix, isIcann, isPrivate } = suffixOf(host)
  const known = isIcann === true || isPrivate === true || reservedSuffixes.has(publicSuffix ?? '')
  if (!known || publicSuffix === null)
    return { ok: false, problem: host.includes('.') ? 'unknown_suffix' : 'no_dot' }
  // blogspot.com is both a suffix and a host; www.blogspot.com is the same site (decision 19).
  const itself = domain === null || domain === `www.${publicSuffix}`
  if (isPrivate && itself) return checked(publicSuffix)
  if (domain === null) return { ok: false, problem: isIcann ? 'bare_suffix' : 'no_dot' }
  return checked(domain)
}

function checked(name: string): Registrable {
  if (name.includes('_')) return { ok: false, problem: 'underscore' }
  // RFC 5891 forbids a leading or trailing hyphen. Real subdomains have them and resolve, so only the
  // domain is checked.
  const hyphened = name.split('.').some(label => label.startsWith('-') || label.endsWith('-'))
  return hyphened ? { ok: false, problem: 'edge_hyphen' } : { ok: true, name }
}
