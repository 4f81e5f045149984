import { slugOf } from '@baize/names'
import type { Static } from '../../core/operation.ts'
import type { Database } from '../../database/open.ts'
import { readSiteLogos, type SiteLogo } from '../logos/index.ts'
import { type ObservedSection, observedSectionNames, observedSections } from '../observed-sections.ts'
import type { Context } from '../operation.ts'
import { buildLaunchProfile } from './launch-profile/build-launch-profile.ts'
import {
  noProfileSources,
  type ProfileSources,
  readProfileSources,
} from './launch-profile/read-profile-sources.ts'
import {
  type DomainCompanyRow,
  type DomainLicenseRow,
  type ObservationRow,
  readDomainCompanies,
  readDomainLicenses,
  readDomainLicensesThen,
  readObservations,
  readPlatformReadings,
} from './observations-store.ts'
import { type PlatformReading, platformPeriods } from './platform-periods.ts'
import type { ObservationSection, observations } from './schemas.ts'

export type Observations = Static<typeof observations>
type Seen = { first_seen_at: Date | null; last_seen_at: Date | null; last_confirmed_at: Date | null }
type Subject = { id: number; domain: string; last_observed_at: Date | null }

const iso = (moment: Date | null) => moment?.toISOString() ?? null

function seen(row: Seen) {
  return {
    first_seen_at: iso(row.first_seen_at),
    last_seen_at: iso(row.last_seen_at),
    last_confirmed_at: iso(row.last_confirmed_at),
  }
}

type ObserveContext = { database: Database; now: Date; logoUrl: string }

/**
 * Reads the observations of a domain (§2.9); it starts no check. An unknown domain (`subject: null`) has
 * empty sections.
 */
export async function observeDomain(
  context: ObserveContext,
  domain: string,
  subject: Subject | null,
  sections: readonly ObservationSection[],
): Promise<Observations> {
  if (subject === null)
    return observationsOf(context, { domain, observedAt: null, stored: nothingStored }, sections)
  const [observed] = await observeDomains(context, [subject], sections)
  return observed as Observations
}

export async function observeDomains(
  context: ObserveContext,
  subjects: readonly Subject[],
  sections: readonly ObservationSection[],
): Promise<Observations[]> {
  const ids = subjects.map(subject => subject.id)
  const byId = await readStored(context.database, ids, sections)
  return subjects.map(({ id, domain, last_observed_at: observedAt }) => {
    const stored = {
      rows: byId.rows.get(id) ?? [],
      licenses: byId.licenses.get(id) ?? [],
      companies: byId.companies.get(id) ?? [],
      logos: byId.logos.get(id) ?? [],
      readings: byId.readings.get(id) ?? [],
      profile: byId.profile.get(id) ?? [],
    }
    return observationsOf(context, { domain, observedAt, stored }, sections)
  })
}

/** Describes the licenses that were in force at two times. All other members are those of a site without observations. */
export async function observeLicensesThen(
  { world, now, logoUrl }: Context,
  domain: string,
  moment: { event: number; asOf: string },
): Promise<Observations> {
  const licenses = await readDomainLicensesThen(world.database, domain, moment)
  const stored = { ...nothingStored, licenses }
  return observationsOf({ database: world.database, now, logoUrl }, { domain, observedAt: null, stored }, [
    'licenses',
  ])
}

type Stored = {
  rows: ObservationRow[]
  licenses: DomainLicenseRow[]
  companies: DomainCompanyRow[]
  logos: SiteLogo[]
  readings: PlatformReading[]
  /** Has one element if the launch profile is requested, and is empty otherwise. */
  profile: ProfileSources[]
}
type StoredByDomain = { [Part in keyof Stored]: Map<number, Stored[Part]> }

const nothingStored: Stored = {
  rows: [],
  licenses: [],
  companies: [],
  logos: [],
  readings: [],
  profile: [],
}

async function readStored(
  database: Database,
  ids: readonly number[],
  sections: readonly ObservationSection[],
): Promise<StoredByDomain> {
  const wanted = observedSectionNames.filter(section => sections.includes(section))
  const wants = (section: ObservationSection) => sections.includes(section)
  const reads = [
    async () => ({ companies: byDomain(await readDomainCompanies(database, ids)) }),
    async () => ({
      rows: byDomain(wanted.length === 0 ? [] : await readObservations(database, ids, wanted)),
    }),
    async () => ({ licenses: byDomain(wants('licenses') ? await readDomainLicenses(database, ids) : []) }),
    async () => ({ logos: byDomain(wants('logos') ? await readSiteLogos(database, ids) : []) }),
    async () => ({
      readings: byDomain(wants('platform_history') ? await readPlatformReadings(database, ids) : []),
    }),
    async () => ({
      profile: wants('operator_launch_profile') ? await readProfileSources(database, ids) : new Map(),
    }),
  ]
  const parts: Partial<StoredByDomain>[] = []
  // A transaction has one connection, which runs one statement at a time.
  if (database.isTransaction) for (const read of reads) parts.push(await read())
  else parts.push(...(await Promise.all(reads.map(read => read()))))
  return Object.assign({}, ...parts)
}

function byDomain<Row extends { domain_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  return Map.groupBy(rows, row => row.domain_id)
}

type Site = { domain: string; observedAt: Date | null; stored: Stored }

function observationsOf(
  context: ObserveContext,
  site: Site,
  sections: readonly ObservationSection[],
): Observations {
  const result = withoutSections(site, context.now)
  for (const section of sections) Object.assign(result, { [section]: sectionOf(section, site, context) })
  return result
}

function withoutSections({ domain, observedAt, stored: { companies } }: Site, now: Date): Observations {
  const owner = companies[0]
  const brand = companies.find(company => company.brand !== null)?.brand ?? null
  const age = observedAt === null ? null : Math.floor((now.getTime() - observedAt.getTime()) / 1000)
  return {
    domain,
    domain_normalized: domain,
    status: observedAt === null ? 'not_observed' : 'observed',
    last_enriched_at: iso(observedAt),
    company:
      owner === undefined
        ? null
        : { name: owner.company_name, legal_entity_name: owner.legal_entity, country: owner.country },
    brand: brand === null ? null : { name: brand, slug: slugOf(brand) },
    enrichment_run: null,
    meta: {
      freshness_age_seconds: age === null ? null : Math.max(0, age),
      served_from_cache: true,
      billable: false,
      observed_at: iso(observedAt),
      generated_at: now.toISOString(),
    },
  }
}

function sectionOf(
  section: ObservationSection,
  { domain, stored }: Site,
  { logoUrl }: ObserveContext,
): Observations[ObservationSection] {
  switch (section) {
    case 'licenses':
      return stored.licenses.map(license => licenseOf(license))
    case 'logos':
      return stored.logos.map(logo => logoOf(logo, logoUrl))
    case 'platform_history':
      return platformPeriods(stored.readings)
    case 'operator_launch_profile':
      return buildLaunchProfile(domain, stored.profile[0] ?? noProfileSources)
    default:
      return observedValues(section, stored.rows)
  }
}

function licenseOf({ jurisdiction, license_number, status, source_url, ...dates }: DomainLicenseRow) {
  return { jurisdiction, license_number, status, source_url, ...seen(dates) }
}

function logoOf({ domain_id: _, file_name, first_seen_at, superseded_at, ...logo }: SiteLogo, url: string) {
  return {
    ...logo,
    url: `${url}/${file_name}`,
    current: superseded_at === null,
    first_seen_at: first_seen_at.toISOString(),
    superseded_at: iso(superseded_at),
  }
}

function observedValues(section: ObservedSection, rows: ObservationRow[]): Observations[ObservedSection] {
  const values = rows.filter(row => row.section === section).map(row => ({ ...row.value, ...seen(row) }))
  const answer = observedSections[section].key === null ? (values[0] ?? null) : values
  return answer as Observations[ObservedSection]
}
