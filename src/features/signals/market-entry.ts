import { findMarket } from '@baize/names'
import { Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { domainEntry } from '../domain-entry.ts'
import { truthState, truthStateOf } from '../source-facts.ts'
import { backfilled, correctionOf } from './feed-schemas.ts'
import type { MarketRow, Section } from './market-rows-store.ts'

const coverageStatuses = ['included', 'available', 'not_available', 'not_requested'] as const
type Coverage = { status: (typeof coverageStatuses)[number]; reason: string | null }

const coverage = namedObject('SectionCoverage', {
  status: oneOf(coverageStatuses),
  reason: nullable(Type.String()),
})

const licenseStatuses = ['unknown', 'active', 'suspended', 'revoked', 'expired'] as const
type LicenseStatus = (typeof licenseStatuses)[number]

const changeTypes = ['license_issued', 'license_issue_retracted'] as const

export const marketEntry = namedObject('MarketEntry', {
  signal_ref: Type.String(),
  type: oneOf(['market_entry']),
  correction_of: correctionOf,
  backfilled,
  headline: Type.String(),
  market: closedObject({
    scope: Type.String({
      description: '`license_regime`: a market is defined by its licensing authority.',
    }),
    key: Type.String(),
    regulator: Type.String(),
    regulator_country_code: Type.String(),
    label: Type.String(),
    truth_state: truthState,
    hold_reasons: Type.Array(Type.String()),
    last_confirmed_at: nullable(instant()),
    last_seen_at: nullable(instant()),
    last_run_at: nullable(instant()),
  }),
  subject: closedObject({
    company_ref: Type.String(),
    role: oneOf(['operator']),
    role_derived_at: instant(),
    brand: nullable(Type.String()),
    domains: Type.Array(domainEntry, {
      description: 'Sites that the register publishes with the license.',
    }),
  }),
  change: closedObject({
    type: oneOf(changeTypes, {
      description: '`license_issue_retracted`: takes back a `license_issued`; see `correction_of`.',
    }),
    occurred_at: instant(),
    detected_at: instant(),
    last_corrected_at: nullable(instant()),
  }),
  regulatory: closedObject({
    license_ref: Type.String(),
    licensee_legal_name: Type.String(),
    license_number: Type.String(),
    license_type: nullable(Type.String()),
    status: oneOf(licenseStatuses, { description: 'As published with the change.' }),
    issued_at: Type.String({
      description: 'A date. Without one in the register, the day on which the change occurred.',
    }),
    expires_at: nullable(Type.String()),
    last_confirmed_at: nullable(instant(), {
      description: 'When the license was last seen in the register. null: it is no longer listed.',
    }),
    authorized_domains: Type.Array(domainEntry),
  }),
  quality: closedObject({
    confidence: oneOf(['low', 'medium', 'high']),
    materiality: oneOf(['unscored', 'low', 'medium', 'high']),
    materiality_reasons: Type.Array(Type.String()),
    coverage: closedObject({
      licenses: coverage,
      authorized_domains: coverage,
      firmographics: coverage,
      contacts: coverage,
    }),
  }),
  evidence: Type.Array(
    closedObject({
      source_type: oneOf(['license_registry']),
      source_name: Type.String(),
      source_url: nullable(Type.String()),
      observed_at: nullable(instant()),
    }),
  ),
})

const iso = (moment: Date | null) => moment?.toISOString() ?? null

export function describeMarketEntry(row: MarketRow, market: string, include: readonly Section[], now: Date) {
  const { content, availableSections } = row
  const { license } = content
  const domains = row.authorized_domains ?? []
  return {
    signal_ref: row.signal_ref,
    type: 'market_entry' as const,
    correction_of: row.correction_of,
    backfilled: row.is_backfill,
    headline: row.headline,
    market: describeMarket(row, market, now),
    subject: {
      company_ref: row.company_ref,
      role: 'operator' as const,
      role_derived_at: row.detected_at.toISOString(),
      brand: content.brand,
      domains,
    },
    change: {
      type: row.correction_of === null ? changeTypes[0] : changeTypes[1],
      occurred_at: row.occurred_at.toISOString(),
      detected_at: row.detected_at.toISOString(),
      last_corrected_at: iso(row.last_corrected_at),
    },
    regulatory: {
      license_ref: row.license_ref,
      licensee_legal_name: row.published_legal_name,
      license_number: license?.license_number ?? '',
      license_type: license?.license_type ?? null,
      status: entryStatusOf(license?.status ?? null),
      issued_at: license?.issued_at ?? row.occurred_at.toISOString().slice(0, 10),
      expires_at: license?.expires_at ?? null,
      last_confirmed_at: row.is_listed ? iso(row.last_confirmed_at) : null,
      authorized_domains: domains,
    },
    quality: {
      // The confidence is high, because the register itself states the change.
      confidence: 'high' as const,
      materiality: 'unscored' as const,
      materiality_reasons: [],
      coverage: {
        licenses: { status: 'included' as const, reason: null },
        authorized_domains:
          domains.length > 0 ? { status: 'included' as const, reason: null } : notAvailable('none_published'),
        firmographics: sectionCoverage('firmographics', include, availableSections),
        contacts: sectionCoverage('contacts', include, availableSections),
      },
    },
    evidence: [
      {
        source_type: 'license_registry' as const,
        source_name: row.source_identity ?? row.stream,
        source_url: content.source_url ?? row.official_url,
        observed_at: content.observed_at,
      },
    ],
  }
}

function describeMarket(row: MarketRow, key: string, now: Date) {
  const market = findMarket(key)
  const holdReasons = row.hold_reasons ?? []
  return {
    scope: 'license_regime',
    key,
    regulator: row.regulator ?? market?.regulator ?? '',
    regulator_country_code: row.regulator_country_code ?? market?.country ?? '',
    label: market?.name ?? key,
    truth_state: truthStateOf(row, now),
    hold_reasons: row.is_quarantined ? holdReasons : [],
    last_confirmed_at: iso(row.last_confirmed_at),
    last_seen_at: iso(row.last_taken_at),
    last_run_at: iso(row.last_run_at),
  }
}

/** Maps published statuses to those of §4.1. Others become `unknown`. */
const statusWords: Record<string, LicenseStatus> = {
  active: 'active',
  suspended: 'suspended',
  revoked: 'revoked',
  expired: 'expired',
  lapsed: 'expired',
}

function entryStatusOf(status: string | null): LicenseStatus {
  return statusWords[status ?? ''] ?? 'unknown'
}

const notAvailable = (reason: string): Coverage => ({ status: 'not_available', reason })

/** Returns whether a section is available. A separate operation sells its data. */
function sectionCoverage(
  section: Section,
  include: readonly Section[],
  available: readonly Section[],
): Coverage {
  if (!include.includes(section)) return { status: 'not_requested', reason: null }
  return available.includes(section) ? { status: 'available', reason: null } : notAvailable('none_held')
}
