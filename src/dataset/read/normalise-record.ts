import { emailKey, linkingKey, personNameKey, profileKey } from '@baize/names'
import { judgeEntry, normaliseStatus } from '@baize/registers/entries'
import { defaultTheme, defaultVariant } from '../../features/logos/index.ts'
import {
  type ObservedField,
  type ObservedSectionFacts,
  observedSections,
} from '../../features/observed-sections.ts'
import { type ProspectListResult, readResult } from '../../features/prospect-lists/index.ts'
import { rolesOrUnknown } from '../../features/value-sets.ts'
import type { ObservationLine } from './observation-schemas.ts'
import type { DatasetRecord, RecordOf } from './parse-record.ts'
import {
  BadField,
  blockedSiteOf,
  boundedKey,
  dateOf,
  domainOfField,
  identifiersOf,
  instantOf,
  spanOf,
  unsharedDomainOf,
} from './read-fields.ts'
import type { RecordKind } from './record-schemas.ts'
import type { StagedRow } from './staged-row.ts'

type NormalisedRecord = { ok: true; rows: StagedRow[] } | { ok: false; reason: string }

/** Makes domains and statuses canonical, and converts instants to UTC. */
export function normaliseRecord(record: DatasetRecord): NormalisedRecord {
  try {
    return { ok: true, rows: (normalisers[record.kind] as (record: DatasetRecord) => StagedRow[])(record) }
  } catch (error) {
    if (error instanceof BadField) return { ok: false, reason: error.message }
    throw error
  }
}

const normalisers: { [Kind in RecordKind]: (record: RecordOf<Kind>) => StagedRow[] } = {
  company: ({ kind: _, ...record }) => [
    {
      table: 'staged_companies',
      row: {
        ...record,
        subject_kind: record.subject_kind ?? (record.legal_entity ? 'legal_entity' : 'unknown'),
        role: rolesOrUnknown(record.role ?? []),
        brands: record.brands ?? [],
        aliases: record.aliases ?? [],
        apps: record.apps ?? [],
        affiliate_program: record.affiliate_program ?? false,
        geo_hints: record.geo_hints ?? [],
        evidence_routes: record.evidence_routes ?? [],
        // Register syncs find the Company by it.
        name_key: linkingKey(record.legal_entity ?? '') || null,
        ...identifiersOf(record.identifiers ?? []),
      },
    },
  ],

  platform: ({ kind: _, ...record }) => [
    { table: 'staged_platforms', row: { ...record, aliases: record.aliases ?? [] } },
  ],

  domain: ({ kind: _, ...record }) => {
    const { company = null, relation = null, brand = null } = record
    if ((company === null) !== (relation === null))
      throw new BadField('company and relation must be given together')
    if (brand !== null && company === null) throw new BadField('brand needs a company')
    return [{ table: 'staged_domains', row: { ...record, domain: domainOfField('domain', record.domain) } }]
  },

  license: ({ kind: _, authorized_domains = [], ...record }) => {
    const recordKey = `${record.jurisdiction}|${record.license_number}`
    const covered = new Map<string, StagedRow>()
    for (const [index, published] of authorized_domains.entries()) {
      const domain = unsharedDomainOf(`authorized_domains[${index}]`, published)
      covered.set(domain, {
        table: 'staged_license_domains',
        row: { license_key: recordKey, domain, published },
      })
    }
    const license: StagedRow = {
      table: 'staged_licenses',
      row: {
        ...record,
        ...spanOf(record),
        record_key: recordKey,
        status: normaliseStatus(record.status),
        issued_at: dateOf('issued_at', record.issued_at),
        expires_at: dateOf('expires_at', record.expires_at),
      },
    }
    return [license, ...covered.values()]
  },

  blocklist_entry: ({ kind: _, ...record }) => {
    const site = blockedSiteOf('domain', record.domain)
    const row = {
      ...record,
      ...spanOf(record),
      domain: site.domain,
      published: record.domain,
      scope: judgeEntry(site),
      listed_as: site.host,
      // Earlier releases wrote `regulator|domain`, which differs from every key of this form.
      record_key: `${record.regulator}|host|${site.host}`,
      listed: record.listed ?? true,
    }
    return [{ table: 'staged_blocklist_entries', row }]
  },

  observation: record => {
    const { key, value } = observedValue(record)
    const row = {
      domain: domainOfField('domain', record.domain),
      section: record.section,
      value_key: boundedKey(key),
      value,
      ...spanOf(record),
      last_confirmed_at: instantOf('last_confirmed_at', record.last_confirmed_at),
    }
    return [{ table: 'staged_observations', row }]
  },

  platform_reading: record => {
    const row = {
      domain: domainOfField('domain', record.domain),
      platform: record.platform,
      seen_at: instantOf('seen_at', record.seen_at),
    }
    return [{ table: 'staged_platform_readings', row }]
  },

  site_check: record => {
    const row = {
      domain: domainOfField('domain', record.domain),
      checked_at: instantOf('checked_at', record.checked_at),
      state: record.state ?? 'completed',
      reason: record.reason ?? null,
      findings: record.findings ?? [],
    }
    if ((row.state === 'failed') !== (row.reason !== null))
      throw new BadField('state failed needs a reason, and completed must have none')
    return [{ table: 'staged_site_checks', row }]
  },

  firmographics: record => {
    const row = {
      domain: domainOfField('domain', record.domain),
      fetched_at: instantOf('fetched_at', record.fetched_at),
      data: firmographicsOf(record),
    }
    return [{ table: 'staged_firmographics', row }]
  },

  contact: ({ kind: _, ...record }) => {
    const { linkedin_url: profile = null } = record
    const name_key = handleOf('name', personNameKey, record.name, 'must have letters')
    const row = {
      ...record,
      name_key,
      named_by: profile === null ? name_key : null,
      email: handleOf('email', emailKey, record.email, 'must be an e-mail address'),
      linkedin_url: profile === null || /^[a-z]+:/i.test(profile) ? profile : `https://${profile}`,
      profile_key: handleOf('linkedin_url', profileKey, profile, 'must be the URL of a profile'),
      collected_at: instantOf('collected_at', record.collected_at),
      last_verified_at: instantOf('last_verified_at', record.last_verified_at),
      fetched_at: instantOf('fetched_at', record.fetched_at),
    }
    return [{ table: 'staged_contacts', row }]
  },

  // The file is left out here; the importer stores it and adds its facts to the row.
  logo: ({ kind: _, file: _file, ...record }) => {
    const { domain = null, superseded_at = null } = record
    const row = {
      ...record,
      domain: domain === null ? null : domainOfField('domain', domain),
      role: (record.role ?? []).filter(role => role !== 'unknown'),
      source: record.source ?? 'catalog',
      variant: record.variant ?? defaultVariant,
      theme: record.theme ?? defaultTheme,
      ...logoSpanOf(record.first_seen_at, superseded_at, record.status),
    }
    return [{ table: 'staged_logos', row }]
  },

  account: ({ kind: _, ...record }) => [{ table: 'staged_accounts', row: record }],

  prospect_list: ({ kind: _, ...record }) => {
    const row = {
      ...record,
      requested_at: instantOf('requested_at', record.requested_at),
      ready_at: instantOf('ready_at', record.ready_at),
      result: resultOf(record),
    }
    if (row.requested_at !== null && row.ready_at !== null && row.requested_at > row.ready_at)
      throw new BadField('requested_at is after ready_at')
    if (row.ready_at !== null && record.status !== 'ready' && record.status !== 'cancelled')
      throw new BadField('ready_at needs status ready or cancelled')
    return [{ table: 'staged_prospect_lists', row }]
  },
}

function resultOf({
  status,
  result = null,
}: Pick<RecordOf<'prospect_list'>, 'status' | 'result'>): ProspectListResult | null {
  if ((status === 'ready') !== (result !== null))
    throw new BadField('status ready needs a result, and any other status must have none')
  if (result === null) return null
  const read = readResult(result)
  if (!read.ok) throw new BadField(`result: ${read.problems[0]}`)
  return read.result
}

/**
 * Returns a key that identifies a person. The reason does not quote the text, because reports carry no
 * personal data.
 */
function handleOf(
  field: string,
  key: (text: string) => string | null,
  text: string | null | undefined,
  problem: string,
): string | null {
  if (text === null || text === undefined) return null
  const found = key(text)
  if (found === null) throw new BadField(`${field}: ${problem}`)
  return found
}

function logoSpanOf(
  first: string | null | undefined,
  end: string | null | undefined,
  status: RecordOf<'logo'>['status'],
): { first_seen_at: string | null; superseded_at: string | null } {
  const first_seen_at = instantOf('first_seen_at', first)
  const superseded_at = instantOf('superseded_at', end)
  if (superseded_at !== null && (status ?? 'current') === 'current')
    throw new BadField('superseded_at needs a status other than current')
  if (first_seen_at !== null && superseded_at !== null && first_seen_at > superseded_at)
    throw new BadField('first_seen_at is after superseded_at')
  return { first_seen_at, superseded_at }
}

/** Returns all data fields of §2.5; missing ones are null. */
function firmographicsOf(record: RecordOf<'firmographics'>): Record<string, unknown> {
  const { city = null, region = null, country = null, postal_code = null } = record.headquarters ?? {}
  const headquarters = { city, region, country, postal_code }
  const size = record.company_size ?? []
  const data = {
    name: record.name ?? null,
    description: record.description ?? null,
    industry: record.industry ?? null,
    company_size: size.length === 0 ? null : size,
    employee_count: record.employee_count ?? null,
    founded_year: record.founded_year ?? null,
    headquarters: Object.values(headquarters).every(part => part === null) ? null : headquarters,
    website: record.website ?? null,
    linkedin_url: record.linkedin_url ?? null,
  }
  if (Object.values(data).every(value => value === null)) throw new BadField('no field has a value')
  return data
}

function observedValue(record: ObservationLine): { key: string; value: Record<string, unknown> } {
  const { fields, key }: ObservedSectionFacts = observedSections[record.section]
  const value = Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [name, observedField(kind, name, record[name])]),
  )
  return { key: key === null ? '' : String(value[key]), value }
}

function observedField(kind: ObservedField['kind'], name: string, value: unknown): unknown {
  if (kind === 'domain') return domainOfField(name, value as string)
  return value ?? (kind === 'list' ? [] : null)
}
