import type { Static } from '../../core/operation.ts'
import { slugOf } from '../../core/slug.ts'
import type { Database } from '../../database/open.ts'
import { readSiteLogos, type SiteLogo } from '../logos/index.ts'
import { unavailableProfile } from './launch-profile.ts'
import { type ObservedSection, observedSectionNames, observedSections } from './observation-sections.ts'
import {
  type DomainCompanyRow,
  type DomainLicenseRow,
  type ObservationRow,
  readDomainCompanies,
  readDomainLicenses,
  readObservations,
  readPlatformReadings,
} from './observations-store.ts'
import { type PlatformReading, platformPeriods } from './platform-periods.ts'
import type { ObservationSection, observations } from './schemas.ts'

export type Observations = Static<typeof observations>
type Seen = { first_seen_at: Date | null; last_seen_at: Date | null; last_confirmed_at: Date | null }
export type Subject = { id: number; domain: string; last_observed_at: Date | null }

const iso = (moment: Date | null) => moment?.toISOString() ?? null

function seen(row: Seen) {
  return {
    first_seen_at: iso(row.first_seen_at),
    last_seen_at: iso(row.last_seen_at),
    last_confirmed_at: iso(row.last_confirmed_at),
  }
}

export type Observing = { database: Database; now: Date; logoUrl: string }

/**
 * What is stored of a site, in the requested sections (§2.9). Starts no check of the site. A null `subject`
 * is an unknown domain, whose sections are empty.
 */
export async function observeDomain(
  observing: Observing,
  domain: string,
  subject: Subject | null,
  sections: readonly ObservationSection[],
): Promise<Observations> {
  if (subject === null) return observationsOf(observing, domain, null, sections, nothingStored)
  const [observed] = await observeDomains(observing, [subject], sections)
  return observed as Observations
}

/** The same for many sites, with a constant number of statements. */
export async function observeDomains(
  observing: Observing,
  subjects: readonly Subject[],
  sections: readonly ObservationSection[],
): Promise<Observations[]> {
  const stored = await readStored(
    observing.database,
    subjects.map(subject => subject.id),
    sections,
  )
  return subjects.map(subject =>
    observationsOf(observing, subject.domain, subject, sections, {
      rows: stored.rows.get(subject.id) ?? [],
      licenses: stored.licenses.get(subject.id) ?? [],
      companies: stored.companies.get(subject.id) ?? [],
      logos: stored.logos.get(subject.id) ?? [],
      readings: stored.readings.get(subject.id) ?? [],
    }),
  )
}

type Stored = {
  rows: ObservationRow[]
  licenses: DomainLicenseRow[]
  companies: DomainCompanyRow[]
  logos: SiteLogo[]
  readings: PlatformReading[]
}
type StoredByDomain = { [Part in keyof Stored]: Map<number, Stored[Part]> }

const nothingStored: Stored = { rows: [], licenses: [], companies: [], logos: [], readings: [] }

async function readStored(
  database: Database,
  ids: readonly number[],
  sections: readonly ObservationSection[],
): Promise<StoredByDomain> {
  const wanted = observedSectionNames.filter(section => sections.includes(section))
  const asks = (section: ObservationSection) => sections.includes(section)
  const reads = [
    async () => ({ companies: byDomain(await readDomainCompanies(database, ids)) }),
    async () => ({
      rows: byDomain(wanted.length === 0 ? [] : await readObservations(database, ids, wanted)),
    }),
    async () => ({ licenses: byDomain(asks('licenses') ? await readDomainLicenses(database, ids) : []) }),
    async () => ({ logos: byDomain(asks('logos') ? await readSiteLogos(database, ids) : []) }),
    async () => ({
      readings: byDomain(asks('platform_history') ? await readPlatformReadings(database, ids) : []),
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

function observationsOf(
  { now, logoUrl }: Observing,
  domain: string,
  subject: Subject | null,
  sections: readonly ObservationSection[],
  { rows, licenses, companies, logos, readings }: Stored,
): Observations {
  const owner = companies[0]
  const brand = companies.find(company => company.brand !== null)?.brand ?? null
  const observedAt = subject?.last_observed_at ?? null

  const result: Observations = {
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
      freshness_age_seconds:
        observedAt === null ? null : Math.max(0, Math.floor((now.getTime() - observedAt.getTime()) / 1000)),
      served_from_cache: true,
      billable: false,
      observed_at: iso(observedAt),
      generated_at: now.toISOString(),
    },
  }
  for (const section of sections) {
    if (section === 'licenses') {
      result.licenses = licenses.map(({ jurisdiction, license_number, status, source_url, ...dates }) => ({
        jurisdiction,
        license_number,
        status,
        source_url,
        ...seen(dates),
      }))
    } else if (section === 'logos') {
      result.logos = logos.map(({ domain_id: _, file_name, first_seen_at, superseded_at, ...logo }) => ({
        ...logo,
        url: `${logoUrl}/${file_name}`,
        current: superseded_at === null,
        first_seen_at: first_seen_at.toISOString(),
        superseded_at: iso(superseded_at),
      }))
    } else if (section === 'platform_history') {
      result.platform_history = platformPeriods(readings)
    } else if (section === 'operator_launch_profile') {
      result.operator_launch_profile = unavailableProfile(domain)
    } else {
      Object.assign(result, observedValues(section, rows))
    }
  }
  return result
}

function observedValues(section: ObservedSection, rows: ObservationRow[]): Partial<Observations> {
  const values = rows.filter(row => row.section === section).map(row => ({ ...row.value, ...seen(row) }))
  return { [section]: observedSections[section].key === null ? (values[0] ?? null) : values }
}
