import type { Static } from '../../core/operation.ts'
import type { domainEntry } from '../domain-entry.ts'
import type { StoredFirmographics } from './firmographics-store.ts'
import type { FirmographicsResult } from './schemas.ts'

const dayMs = 24 * 60 * 60_000
/** Without max_age_days nothing is refreshed, and what is older than this is told to be stale. */
export const freshDaysDefault = 365

export type FreshnessRules = {
  now: Date
  /** What is older is refreshed; undefined: what is held will do, whatever its age. */
  maxAgeDays: number | undefined
  /** Whether what is held will do where a refresh did not take place or failed. */
  allowStale: boolean
}

/**
 * What one Domain is answered with, of what is held of it. No source of firmographics is configured in this version, so a
 * refresh that max_age_days calls for is not attempted, and the result says why.
 */
export function serveFirmographics(
  domain: Static<typeof domainEntry>,
  held: Omit<StoredFirmographics, 'domain'> | undefined,
  { now, maxAgeDays, allowStale }: FreshnessRules,
): FirmographicsResult {
  const stale = held !== undefined && isOlder(held.fetched_at, maxAgeDays ?? freshDaysDefault, now)
  const calledFor = maxAgeDays !== undefined && (held === undefined || stale)
  const available = held !== undefined && (allowStale || !calledFor)
  return {
    domain,
    available,
    cached: available,
    stale,
    reason: available ? null : held === undefined ? 'not_resolved' : 'source_unavailable',
    fetched_at: held?.fetched_at.toISOString() ?? null,
    refresh: {
      attempted: false,
      status: 'not_attempted',
      reason: calledFor ? 'source_unavailable' : null,
      attempted_at: null,
    },
    data: available ? held.data : null,
  }
}

/** An age of 0 days is one that nothing held can have, whatever the clocks say. */
function isOlder(fetchedAt: Date, days: number, now: Date): boolean {
  return days === 0 || now.getTime() - fetchedAt.getTime() > days * dayMs
}
