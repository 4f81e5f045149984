import { normaliseStatus } from '../core/license-status.ts'
import type { DatasetRecord, RecordOf } from './parse-record.ts'
import {
  BadField,
  blockedDomainOf,
  boundedKey,
  dateOf,
  domainOf,
  instantOf,
  ownDomainOf,
  spanOf,
} from './read-fields.ts'
import type { RecordKind } from './record-schemas.ts'
import type { StagedTable } from './staging-store.ts'

/** A row of a staging table, without its position. */
export type StagedRow = { table: StagedTable; row: Record<string, unknown> }

export type NormalisedRecord = { ok: true; rows: StagedRow[] } | { ok: false; reason: string }

/** A record in its one spelling, as rows to stage: canonical domains, statuses in one spelling, instants in UTC. */
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
        subject_kind: record.subject_kind ?? 'unknown',
        role: record.role ?? [],
        brands: record.brands ?? [],
        aliases: record.aliases ?? [],
        apps: record.apps ?? [],
        affiliate_program: record.affiliate_program ?? false,
        geo_hints: record.geo_hints ?? [],
        evidence_routes: record.evidence_routes ?? [],
      },
    },
  ],

  platform: ({ kind: _, ...record }) => [
    { table: 'staged_platforms', row: { ...record, aliases: record.aliases ?? [] } },
  ],

  domain: ({ kind: _, ...record }) => {
    const { company = null, relation = null, brand = null } = record
    if ((company === null) !== (relation === null)) throw new BadField('company and relation stand together')
    if (brand !== null && company === null) throw new BadField('brand stands only with a company')
    return [{ table: 'staged_domains', row: { ...record, domain: domainOf('domain', record.domain) } }]
  },

  license: ({ kind: _, authorized_domains = [], ...record }) => {
    const recordKey = `${record.jurisdiction}|${record.license_number}`
    const covered = new Map<string, StagedRow>()
    for (const [index, published] of authorized_domains.entries()) {
      const domain = ownDomainOf(`authorized_domains[${index}]`, published)
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
    const domain = blockedDomainOf('domain', record.domain)
    const row = {
      ...record,
      ...spanOf(record),
      domain,
      published: record.domain,
      record_key: `${record.regulator}|${domain}`,
      listed: record.listed ?? true,
    }
    return [{ table: 'staged_blocklist_entries', row }]
  },

  observation: record => {
    const { key, value } = observedValue(record)
    const row = {
      domain: domainOf('domain', record.domain),
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
      domain: domainOf('domain', record.domain),
      platform: record.platform,
      seen_at: instantOf('seen_at', record.seen_at),
    }
    return [{ table: 'staged_platform_readings', row }]
  },

  account: ({ kind: _, ...record }) => [{ table: 'staged_accounts', row: record }],
}

/** The fields of §2.9 without the dates, and what tells two values of a section apart. */
function observedValue(record: RecordOf<'observation'>): { key: string; value: Record<string, unknown> } {
  switch (record.section) {
    case 'payment_methods':
      return {
        key: record.normalized_name,
        value: { normalized_name: record.normalized_name, category: record.category ?? null },
      }
    case 'supplier_brands':
      return {
        key: record.normalized_provider_name,
        value: { normalized_provider_name: record.normalized_provider_name },
      }
    case 'affiliate_programs':
      return { key: record.program_url, value: { program_url: record.program_url } }
    case 'geo':
      // A site has one reading of this section.
      return {
        key: '',
        value: {
          languages: record.languages ?? [],
          currencies: record.currencies ?? [],
          geo_hints: record.geo_hints ?? [],
        },
      }
    case 'related_domains': {
      const related = domainOf('related_domain_normalized', record.related_domain_normalized)
      return {
        key: related,
        value: { related_domain_normalized: related, relationship: record.relationship },
      }
    }
  }
}
