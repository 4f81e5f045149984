import type { Static } from '../../core/operation.ts'
import type { domainEntry } from '../domain-entry.ts'
import type { StoredFirmographics } from './firmographics-store.ts'
import type { FirmographicsResult } from './schemas.ts'

const dayMs = 24 * 60 * 60_000
/** Unless max_age_days is sent. */
export const freshDaysDefault = 365

export type FreshnessRules = {
  now: Date
  /** Older data is refreshed; undefined: never. */
  maxAgeDays: number | undefined
  /** If a refresh was not attempted or failed. */
  allowStale: boolean
}

/** There is no source yet, so a refresh is never attempted. */
export function serveFirmographics(
  domain: Static<typeof domainEntry>,
  stored: Omit<StoredFirmographics, 'domain'> | undefined,
  { now, maxAgeDays, allowStale }: FreshnessRules,
): FirmographicsResult {
  const stale = stored !== undefined && isOlder(stored.fetched_at, maxAgeDays ?? freshDaysDefault, now)
  const refreshDue = maxAgeDays !== undefined && (stored === undefined || stale)
  const available = stored !== undefined && (allowStale || !refreshDue)
  return {
    domain,
    available,
    cached: available,
    stale,
    reason: available ? null : stored === undefined ? 'not_resolved' : 'source_unavailable',
    fetched_at: stored?.fetched_at.toISOString() ?? null,
    refresh: {
      attempted: false,
      status: 'not_attempted',
      reason: refreshDue ? 'source_unavailable' : null,
      attempted_at: null,
    },
    data: available ? stored.data : null,
  }
}

/** With 0 days all data is too old, even if the clocks disagree. */
function isOlder(fetchedAt: Date, days: number, now: Date): boolean {
  return days === 0 || now.getTime() - fetchedAt.getTime() > days * dayMs
}
