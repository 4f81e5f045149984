import { isIPv6 } from 'node:net'
import { Failure } from '../../core/failure.ts'
import type { PagedUsage, UsagePosition } from './usage-store.ts'

/** Removes requested sites: several people share an account, so customers do not see them (§2.15). */
export function describeUsage(row: PagedUsage) {
  const { usageId: _, at: __, ...record } = row
  return {
    id: usageIdOf(row),
    ...record,
    requested_at: row.requested_at.toISOString(),
    request_params: withoutSites(row.request_params),
  }
}

export type ShownUsage = ReturnType<typeof describeUsage>

/** Returns the id of a usage record in paths of the dashboard, and in its cursors. */
export const usageIdOf = ({ at, usageId }: UsagePosition): string =>
  Buffer.from(`${usageId} ${at}`).toString('base64url')

export function usagePositionOf(id: string): UsagePosition {
  const [, usageId, at] = /^(\d{1,18}) (\d{1,16})$/.exec(Buffer.from(id, 'base64url').toString()) ?? []
  if (usageId === undefined || at === undefined) throw new Failure('route_not_found')
  return { at, usageId }
}

/**
 * Matches other spellings of the dot in host names: IDNA dots, escaped dots, and the one of
 * `site[.]example`.
 */
const dots = /[。\u2024]|%2e|[[({]\.[\])}]/gi
/** Matches a host, which ends with letters or with punycode: `S.A.`, `1.4.0` and times are not hosts. */
const host = /[\p{L}\p{M}\p{N}_-]\.+(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})(?![\p{L}\p{M}\p{N}])/iu
const ipv4 = /(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/
const maybeIPv6 = /[0-9a-f]*:[0-9a-f:.]+/gi

/**
 * Matches parameters whose every value contains a site: `domain`, `domains[]`, `domain_after`, and cursors.
 */
const siteParameter = /^(?:(?:domain|host)s?(?:_after)?(?:\[\])?|after)$/i

const filtered = '[filtered]'

/** Removes sites at any depth, from names and values: the text `q` may contain a site. */
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

/** Replaces whole words, because the path of a URL may repeat the site's name. */
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
