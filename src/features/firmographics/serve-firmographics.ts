import type { Static } from '../../core/operation.ts'
import { dayMs } from '../../core/time.ts'
import type { domainEntry } from '../domain-entry.ts'
import type { StoredFirmographics } from './firmographics-store.ts'
import type { FirmographicsReason, FirmographicsResult } from './schemas.ts'

/** Older data is stale if the request has no max_age_days. */
export const freshDaysDefault = 365

export type FreshnessRules = {
  now: Date
  /** The age above which data is refreshed; without it there is no refresh. */
  maxAgeDays: number | undefined
  /** Allows stale data if a refresh was not attempted, or failed temporarily. */
  allowStale: boolean
}

/** The outcome of the refresh of a Domain. `attemptedAt` is null if it was not attempted. */
export type RefreshOutcome =
  /** `wasStored` is true if an earlier check stored the data before the request. */
  | { status: 'completed'; attemptedAt: Date; wasStored?: boolean }
  | { status: 'failed'; attemptedAt: Date; reason: FirmographicsReason }
  | { status: 'not_attempted'; attemptedAt: null; reason: FirmographicsReason }

type Stored = Omit<StoredFirmographics, 'domain'>

/** Writes the firmographics of a Domain. `refresh` is the outcome of its refresh, if one was due. */
export function serveFirmographics(
  domain: Static<typeof domainEntry>,
  stored: Stored | undefined,
  { now, maxAgeDays, allowStale }: FreshnessRules,
  refresh?: RefreshOutcome,
): FirmographicsResult {
  const isRefreshed = refresh?.status === 'completed' && stored !== undefined
  const stale =
    stored !== undefined && !isRefreshed && isOlder(stored.fetched_at, maxAgeDays ?? freshDaysDefault, now)
  const isDue = !isRefreshed && areFirmographicsDue(stored, { now, maxAgeDays })
  const failure = showRefresh(refresh, isDue).reason
  const hasFailed = refresh?.status === 'failed' && failure !== 'source_temporarily_unavailable'
  const available = stored !== undefined && (!isDue || (allowStale && !hasFailed))
  const notThere = refresh?.status === 'failed' ? failure : 'not_resolved'
  return {
    domain,
    available,
    cached: available && (!isRefreshed || refresh.wasStored === true),
    stale,
    reason: available ? null : stored === undefined ? notThere : failure,
    fetched_at: stored?.fetched_at.toISOString() ?? null,
    refresh: showRefresh(refresh, isDue),
    data: available ? stored.data : null,
  }
}

export function areFirmographicsDue(
  stored: Stored | undefined,
  { now, maxAgeDays }: Pick<FreshnessRules, 'now' | 'maxAgeDays'>,
): boolean {
  return maxAgeDays !== undefined && (stored === undefined || isOlder(stored.fetched_at, maxAgeDays, now))
}

/** Describes the refresh. `isDue` means that stored data is too old, and nothing newer was fetched. */
export function showRefresh(
  refresh: RefreshOutcome | undefined,
  isDue: boolean,
): FirmographicsResult['refresh'] {
  return {
    attempted: refresh !== undefined && refresh.status !== 'not_attempted',
    status: refresh?.status ?? 'not_attempted',
    reason: isDue ? reasonOf(refresh) : null,
    attempted_at: refresh?.attemptedAt?.toISOString() ?? null,
  }
}

/** Returns the reason of a missing refresh. Without a source, no refresh is attempted. */
const reasonOf = (refresh: RefreshOutcome | undefined): FirmographicsReason =>
  refresh === undefined || refresh.status === 'completed' ? 'source_unavailable' : refresh.reason

/** Returns true if data is older than `days`. With 0 days it always is, even if the clocks disagree. */
function isOlder(fetchedAt: Date, days: number, now: Date): boolean {
  return days === 0 || now.getTime() - fetchedAt.getTime() > days * dayMs
}
