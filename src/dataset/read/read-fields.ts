import { createHash } from 'node:crypto'
import {
  type DomainReading,
  domainProblemWords,
  hasPlausibleYear,
  isSharedHost,
  readDomain,
  shown,
  yearMax,
  yearMin,
} from '@baize/names'

/** Means that a field matches its schema but has an impossible value. */
export class BadField extends Error {
  override readonly name = 'BadField'
}

type Site = Extract<DomainReading, { ok: true }>

function readSite(field: string, value: string): Site {
  const reading = readDomain(value)
  if (!reading.ok) throw new BadField(`${field}: ${shown(value)} ${domainProblemWords[reading.problem]}`)
  return reading
}

export function domainOfField(field: string, value: string): string {
  return readSite(field, value).domain
}

/** Rejects shared hosts, because a licensed page on one does not license the host. */
export function unsharedDomainOf(field: string, value: string): string {
  const { domain } = readSite(field, value)
  if (isSharedHost(domain))
    throw new BadField(`${field}: ${shown(value)} is a shared host, not a site of its own`)
  return domain
}

/** Rejects pages, because a blocked page does not block its site (contract section 8). */
export function blockedSiteOf(field: string, value: string): Site {
  const site = readSite(field, value)
  if (site.path !== null) throw new BadField(`${field}: ${shown(value)} names a page, not a site`)
  unsharedDomainOf(field, value)
  return site
}

const outsideEra = `must be from the year ${yearMin} to ${yearMax}`

/** Converts a time to an instant in UTC, to the millisecond. */
export function instantOf(field: string, value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const moment = new Date(value)
  if (!hasPlausibleYear(moment)) throw new BadField(`${field}: ${shown(value)} ${outsideEra}`)
  return moment.toISOString()
}

export function dateOf(field: string, value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const year = Number(value.slice(0, 4))
  if (year < yearMin || year > yearMax) throw new BadField(`${field}: ${shown(value)} ${outsideEra}`)
  return value
}

type Span = { first_seen_at: string | null; last_seen_at: string | null }

export function spanOf(record: {
  first_seen_at?: string | null | undefined
  last_seen_at?: string | null | undefined
}): Span {
  const first_seen_at = instantOf('first_seen_at', record.first_seen_at)
  const last_seen_at = instantOf('last_seen_at', record.last_seen_at)
  if (first_seen_at !== null && last_seen_at !== null && first_seen_at > last_seen_at) {
    throw new BadField('first_seen_at is after last_seen_at')
  }
  return { first_seen_at, last_seen_at }
}

/** PostgreSQL index entries have at most about 2,700 bytes, so a longer key ends in a hash of the whole. */
const keyCharactersMax = 500

export function boundedKey(key: string): string {
  if (key.length <= keyCharactersMax) return key
  return `${key.slice(0, keyCharactersMax - 65)}#${createHash('sha256').update(key).digest('hex')}`
}
