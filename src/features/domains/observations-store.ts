import { type RawBuilder, sql } from 'kysely'
import type { Database, World } from '../../database/open.ts'
import { observationLapseDays } from '../domain-entry-store.ts'
import {
  authorisationsInForce,
  authorisationsKnown,
  lastTakenThen,
  licenseFirstSeen,
  licenseStateInForce,
} from '../known-facts-store.ts'
import { type ObservedSection, type ObservedSectionFacts, observedSections } from '../observed-sections.ts'
import { isSharedSite } from '../shared-site-store.ts'
import type { PlatformReading } from './platform-periods.ts'

type OfDomain = { domain_id: number }
type Seen = { first_seen_at: Date | null; last_seen_at: Date | null; last_confirmed_at: Date | null }

export type ObservationRow = OfDomain & Seen & { section: string; value: Record<string, unknown> }

export async function readObservations(
  database: Database,
  domainIds: readonly number[],
  sections: readonly string[],
): Promise<ObservationRow[]> {
  const { rows } = await sql<ObservationRow>`
    select domain_id, section, value, first_seen_at, last_seen_at, last_confirmed_at
      from observations
     where domain_id = any (${[...domainIds]}::bigint[]) and section = any (${[...sections]}::text[])
     order by domain_id, section, value_key collate "C"`.execute(database)
  return rows
}

// Tests whether a domain has a current observation: one seen within the lapse period before its latest.
export function currentlyObserved(
  section: ObservedSection,
  matches?: (field: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`exists (
         select from observations observation
          where observation.domain_id = domain.id
            and observation.section = ${sql.lit(section)}
            and ${matches === undefined ? sql`true` : matches(filteredField(section))}
            and observation.last_seen_at
                >= domain.last_observed_at - make_interval(days => ${observationLapseDays}::int)
       )`
}

/** Selects the field as the expression indexes of `observations` do, so that they are used. */
function filteredField(section: ObservedSection): RawBuilder<unknown> {
  const { fields, filteredBy } = observedSections[section] as ObservedSectionFacts
  if (filteredBy === null) throw new Error(`${section} has no field that can be filtered`)
  const operator = sql.raw(fields[filteredBy]?.kind === 'list' ? '->' : '->>')
  return sql`(observation.value ${operator} ${sql.lit(filteredBy)})`
}

export type DomainLicenseRow = OfDomain &
  Seen & {
    jurisdiction: string
    license_number: string | null
    status: string | null
    source_url: string | null
  }

type LicenseFacts = {
  /** FROM items: authorisations of the domains, all that were known of them, and the state of a `license`. */
  authorisations: string
  known: string
  state: string
  firstSeenAt: string
  lastTakenAt: string
  lastConfirmedAt: string
  isBegun?: string
}

/**
 * Selects the licenses of domains. First seen is that of the license, or of the site's first listing if the
 * source names no license. Open facts have the last dates of their stream (contract section 9).
 */
const licensesFrom = (facts: LicenseFacts) =>
  sql.raw(`
    select authorisation.domain_id,
           authorisation.market as jurisdiction,
           state.license_number,
           -- a listing that does not license shows its own status, whatever its license is
           case
             when authorisation.counts then coalesce(state.status, authorisation.status)
             else coalesce(authorisation.status, state.status)
           end as status,
           coalesce(state.source_url, stream.official_url) as source_url,
           coalesce(${facts.firstSeenAt}, listed.first_seen_at) as first_seen_at,
           coalesce(authorisation.last_seen_at, ${facts.lastTakenAt}) as last_seen_at,
           ${facts.lastConfirmedAt} as last_confirmed_at
      from ${facts.authorisations} authorisation
      left join licenses license on license.id = authorisation.license_id
      left join lateral ${facts.state} state on true
     cross join lateral (
       select min(earlier.first_seen_at) as first_seen_at
         from ${facts.known} earlier
        where earlier.domain_id = authorisation.domain_id
          and earlier.stream = authorisation.stream
          and earlier.record_key = authorisation.record_key
     ) listed
      left join register_streams stream on stream.stream = coalesce(license.stream, authorisation.stream)
     where ${facts.isBegun ?? 'authorisation.known_to is null'}`)

const byMarket = sql`
     order by authorisation.domain_id, authorisation.market collate "C", state.license_number collate "C",
              authorisation.id`

const licensesNow = licensesFrom({
  authorisations: 'authorisations',
  known: 'authorisations',
  firstSeenAt: 'license.first_seen_at',
  state: '(select * from license_states where license_id = license.id and known_to is null)',
  lastTakenAt: 'stream.last_taken_at',
  lastConfirmedAt: 'stream.last_confirmed_at',
})

export async function readDomainLicenses(database: Database, domainIds: readonly number[]) {
  const { rows } = await sql<DomainLicenseRow>`
    ${licensesNow} and authorisation.domain_id = any (${[...domainIds]}::bigint[]) ${byMarket}`.execute(
    database,
  )
  return rows
}

/** Reads the licenses of a domain that were in force at two times. */
export async function readDomainLicensesThen(
  database: Database,
  domain: string,
  { event, asOf }: { event: number; asOf: string },
) {
  const moment = { event: 'wanted.event', asOf: 'wanted.as_of' }
  const taken = lastTakenThen('coalesce(license.stream, authorisation.stream)', moment.event)
  const { rows } = await sql<DomainLicenseRow>`
    with wanted as materialized (
      select id, ${event}::bigint as event, ${asOf}::timestamptz as as_of
        from domains
       where domain = ${domain}
    )
    ${licensesFrom({
      authorisations: `wanted cross join lateral ${authorisationsInForce('domain_id = wanted.id', moment)}`,
      known: authorisationsKnown('domain_id = wanted.id', moment),
      firstSeenAt: licenseFirstSeen('license', moment.event),
      state: licenseStateInForce('license', moment),
      lastTakenAt: taken,
      lastConfirmedAt: taken,
      isBegun: '(authorisation.has_begun or state.issued_at <= wanted.as_of)',
    })} ${byMarket}`.execute(database)
  return rows
}

export type DomainCompanyRow = OfDomain & {
  relation: 'licensee' | 'brand_owner'
  brand: string | null
  company_name: string | null
  legal_entity: string | null
  country: string | null
}

const linkedCompany = sql`
      join companies named on named.id = link.company_id
      join companies company on company.id = coalesce(named.merged_into, named.id)`
/** Leaves out the holders of a site that several share, because none of them is known to operate it. */
const isOperating = sql`
      (link.relation <> 'licensee' or not ${sql.raw(isSharedSite('domain.id'))})`
/** Orders Companies as Company resolve does: the Company of the verdict, other licensees, brand owners. */
const byRank = sql`link.company_id is not distinct from domain.licensee_company_id desc, link.relation desc,
              company.company_ref collate "C"`

export async function readDomainCompanies(database: Database, domainIds: readonly number[]) {
  const { rows } = await sql<DomainCompanyRow>`
    select domain.id as domain_id, link.relation, link.brand, company.company_name, company.legal_entity,
           company.country
      from domains domain
     cross join lateral companies_of_domain(domain.id) link
      ${linkedCompany}
     where domain.id = any (${[...domainIds]}::bigint[]) and ${isOperating}
     order by domain.id, ${byRank}`.execute(database)
  return rows
}

/** Selects the first Company of each `domains domain` as a table, for queries of thousands of domains. */
export const companyBehind = sql`lateral (
       select company.company_name, company.legal_entity
         from companies_of_domain(domain.id) link
         ${linkedCompany}
        where ${isOperating}
        order by ${byRank}
        limit 1
     )`

/** Reads the platforms of domains by time. If several were read at one time, domain search uses the last. */
export async function readPlatformReadings(database: Database, domainIds: readonly number[]) {
  const { rows } = await sql<OfDomain & PlatformReading>`
    select reading.domain_id, platform.name as platform, platform.reviewed_at is not null as reviewed,
           reading.seen_at
      from platform_readings reading
      join platforms platform on platform.id = reading.platform_id
     where reading.domain_id = any (${[...domainIds]}::bigint[])
     order by reading.domain_id, reading.seen_at, platform.platform_key collate "C" desc`.execute(database)
  return rows
}

type ReviewedPlatform = { id: number; platform_key: string }

/** Finds a reviewed platform by its key, name or alias, ignoring case. */
export async function findReviewedPlatform(world: World, name: string) {
  const [platform] = await world.read<ReviewedPlatform>({
    name: 'find_reviewed_platform',
    text: `
      select id, platform_key
        from platforms
       where reviewed_at is not null
         and (lower(platform_key) = $1 or lower(name) = $1
              or exists (select from unnest(aliases) as alias where lower(alias) = $1))
       order by lower(platform_key) = $1 desc, id
       limit 1`,
    values: [name.toLowerCase()],
  })
  return platform
}
