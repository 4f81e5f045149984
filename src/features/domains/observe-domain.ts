import type { Static } from '../../core/operation.ts'
import type { Context } from '../operation.ts'
import { unavailableProfile } from './launch-profile.ts'
import {
  type ObservationRow,
  readDomainCompanies,
  readDomainLicenses,
  readLogos,
  readObservations,
  readPlatformReadings,
} from './observations-store.ts'
import { platformPeriods } from './platform-periods.ts'
import type { ObservationSection, observations } from './schemas.ts'

type Observations = Static<typeof observations>
type Seen = { first_seen_at: Date | null; last_seen_at: Date | null; last_confirmed_at: Date | null }
type Subject = { id: number; domain: string; last_observed_at: Date | null }

const storedSections = [
  'payment_methods',
  'supplier_brands',
  'affiliate_programs',
  'geo',
  'related_domains',
] as const
type StoredSection = (typeof storedSections)[number]

const iso = (moment: Date | null) => moment?.toISOString() ?? null

function seen(row: Seen) {
  return {
    first_seen_at: iso(row.first_seen_at),
    last_seen_at: iso(row.last_seen_at),
    last_confirmed_at: iso(row.last_confirmed_at),
  }
}

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/**
 * What is stored of a site, in the sections asked for (§2.9). It reads and starts nothing. `subject` is null for a
 * domain that was never heard of: its sections are empty, for absence is not a fact.
 */
export async function observeDomain(
  context: Context,
  domain: string,
  subject: Subject | null,
  sections: readonly ObservationSection[],
  logoUrl: string,
): Promise<Observations> {
  const { world, now } = context
  const wanted = storedSections.filter(section => sections.includes(section))
  const asks = (section: ObservationSection) => subject !== null && sections.includes(section)
  const id = subject?.id ?? 0
  const [rows, licenses, companies, logos, readings] = await Promise.all([
    subject === null || wanted.length === 0 ? [] : readObservations(world, id, wanted),
    asks('licenses') ? readDomainLicenses(world, id) : [],
    subject === null ? [] : readDomainCompanies(world, id),
    asks('logos') ? readLogos(world, id) : [],
    asks('platform_history') ? readPlatformReadings(world, id) : [],
  ])
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
    brand: brand === null ? null : { name: brand, slug: slug(brand) },
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
      result.logos = logos.map(({ file_name, first_seen_at, superseded_at, ...logo }) => ({
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
      Object.assign(result, storedSection(section, rows))
    }
  }
  return result
}

function storedSection(section: StoredSection, rows: ObservationRow[]): Partial<Observations> {
  const values = rows.filter(row => row.section === section).map(row => ({ ...row.value, ...seen(row) }))
  return { [section]: section === 'geo' ? (values[0] ?? null) : values }
}
