import { sql } from 'kysely'
import type { World } from '../../database/open.ts'
import type { PlatformReading } from './platform-periods.ts'

type Seen = { first_seen_at: Date | null; last_seen_at: Date | null; last_confirmed_at: Date | null }

export type ObservationRow = Seen & { section: string; value: Record<string, unknown> }

/** The stored observations of a site, section by section, in a stable order. */
export async function readObservations(
  world: World,
  domainId: number,
  sections: string[],
): Promise<ObservationRow[]> {
  const { rows } = await sql<ObservationRow>`
    select section, value, first_seen_at, last_seen_at, last_confirmed_at
      from observations
     where domain_id = ${domainId} and section = any (${sections}::text[])
     order by section, value_key collate "C"`.execute(world.replica)
  return rows
}

export type DomainLicenseRow = Seen & {
  jurisdiction: string
  license_number: string | null
  status: string | null
  source_url: string | null
}

/**
 * The licenses that registers publish the domain under, whatever their status. Open facts take last seen and last
 * confirmed from their stream (contract section 9).
 */
export async function readDomainLicenses(world: World, domainId: number): Promise<DomainLicenseRow[]> {
  const { rows } = await sql<DomainLicenseRow>`
    select authorisation.market as jurisdiction,
           state.license_number,
           -- a listing that does not license shows its own status, whatever its license is
           case
             when authorisation.counts then coalesce(state.status, authorisation.status)
             else coalesce(authorisation.status, state.status)
           end as status,
           state.source_url,
           authorisation.first_seen_at,
           coalesce(authorisation.last_seen_at, stream.last_taken_at) as last_seen_at,
           stream.last_confirmed_at
      from authorisations authorisation
      left join license_states state on state.license_id = authorisation.license_id and state.known_to is null
      left join register_streams stream on stream.stream = authorisation.stream
     where authorisation.domain_id = ${domainId} and authorisation.known_to is null
     order by authorisation.market collate "C", state.license_number collate "C", authorisation.id
  `.execute(world.replica)
  return rows
}

export type DomainCompanyRow = {
  relation: 'licensee' | 'brand_owner'
  brand: string | null
  company_name: string | null
  legal_entity: string | null
  country: string | null
}

/** The Companies that stand behind the site: that of the verdict first, then brand owners, then other licensees. */
export async function readDomainCompanies(world: World, domainId: number): Promise<DomainCompanyRow[]> {
  const { rows } = await sql<DomainCompanyRow>`
    select link.relation, link.brand, company.company_name, company.legal_entity, company.country
      from domain_companies link
      join companies named on named.id = link.company_id
      join companies company on company.id = coalesce(named.merged_into, named.id)
     where link.domain_id = ${domainId} and link.known_to is null
     order by link.company_id is not distinct from (select licensee_company_id from domains where id = ${domainId}) desc,
              link.relation, company.company_ref collate "C"`.execute(world.replica)
  return rows
}

export type LogoRow = {
  variant: string
  theme: string
  format: string
  width: number | null
  height: number | null
  file_name: string
  source: 'business_profile' | 'website' | 'catalog'
  first_seen_at: Date
  superseded_at: Date | null
}

/** Current and superseded logos, current ones first. */
export async function readLogos(world: World, domainId: number): Promise<LogoRow[]> {
  const { rows } = await sql<LogoRow>`
    select variant, theme, format, width, height, file_name, source, first_seen_at, superseded_at
      from logos
     where domain_id = ${domainId}
     order by superseded_at desc nulls first, first_seen_at desc, id`.execute(world.replica)
  return rows
}

/** Readings of reviewed platforms, in the order in which the pages were seen. */
export async function readPlatformReadings(world: World, domainId: number): Promise<PlatformReading[]> {
  const { rows } = await sql<PlatformReading>`
    select platform.name as platform, platform.reviewed_at is not null as reviewed, reading.seen_at
      from platform_readings reading
      join platforms platform on platform.id = reading.platform_id
     where reading.domain_id = ${domainId}
     order by reading.seen_at, reading.platform_id`.execute(world.replica)
  return rows
}
