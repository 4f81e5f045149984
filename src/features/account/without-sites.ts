import { isIPv6 } from 'node:net'

/** Other dots of host names (IDNA), escaped ones, and those of `site[.]example`. NFKC maps full-width forms. */
const dots = /[。\u2024]|%2e|[[({]\.[\])}]/gi
/** A name ends with letters of any script or with punycode: `S.A.`, `1.4.0` and times are no hosts. */
const host = /[\p{L}\p{M}\p{N}_-]\.+(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})(?![\p{L}\p{M}\p{N}])/iu
const ipv4 = /(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/
const maybeIPv6 = /[0-9a-f]*:[0-9a-f:.]+/gi

/** Parameters that contain a site under any value: `domain`, `domains[]`, `domain_after`, and cursors. */
const siteParameter = /^(?:(?:domain|host)s?(?:_after)?(?:\[\])?|after)$/i

const filtered = '[filtered]'

/** Without sites, at any depth, in names as in values: `q` may be one, or contain one. */
export function withoutSites(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutSites(value)
  if (Array.isArray(value)) return value.filter(each => !isSite(each)).map(withoutSites)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([name, member]) => !siteParameter.test(name) && !isSite(member),
  )
  return Object.fromEntries(members.map(([name, member]) => [textWithoutSites(name), withoutSites(member)]))
}

const isSite = (value: unknown) => typeof value === 'string' && !/\s/.test(value.trim()) && namesSite(value)

/** Whole words are replaced, because the path of a URL may repeat the name. */
function textWithoutSites(text: string): string {
  return text.replaceAll(/\S+/g, word => (namesSite(word) ? filtered : word))
}

function namesSite(word: string): boolean {
  const plain = word
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(dots, '.')
  if (host.test(plain) || ipv4.test(plain)) return true
  return (plain.match(maybeIPv6) ?? []).some(isIPv6)
}
