import { createHash } from 'node:crypto'
import {
  canonicalCompanyNumber,
  canonicalLei,
  companyNumberCharactersMin,
  type DomainReading,
  domainProblemWords,
  findMarket,
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

type Identifier = { scheme: 'lei' | 'company_number'; value: string; register?: string | null }

/** Returns the columns of identifiers, each scheme once. */
export function identifiersOf(identifiers: readonly Identifier[]) {
  const found: { lei: string | null; registration: string | null } = { lei: null, registration: null }
  for (const [index, { scheme, value, register = null }] of identifiers.entries()) {
    const field = `identifiers[${index}]`
    const column = scheme === 'lei' ? 'lei' : 'registration'
    if (found[column] !== null) throw new BadField(`${field}: only one ${scheme} can be given`)
    found[column] = scheme === 'lei' ? leiOf(field, value, register) : registrationOf(field, value, register)
  }
  return found
}

function leiOf(field: string, value: string, register: string | null): string {
  if (register !== null) throw new BadField(`${field}.register: only a company_number has one`)
  const lei = canonicalLei(value)
  if (lei === null)
    throw new BadField(`${field}.value: ${shown(value)} is not an LEI of 20 signs with right check digits`)
  return lei
}

function registrationOf(field: string, value: string, register: string | null): string {
  if (register === null || !(/^[A-Z]{2}$/.test(register) || findMarket(register) !== undefined))
    throw new BadField(`${field}.register: must be a country such as MT, or a market code`)
  const number = canonicalCompanyNumber(value)
  if (number === null) {
    const wanted = `must have ${companyNumberCharactersMin} letters or digits, and a digit other than 0`
    throw new BadField(`${field}.value: ${shown(value)} ${wanted}`)
  }
  return `${register}:${number}`
}
