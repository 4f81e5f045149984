import type { Static } from '../../core/operation.ts'
import type { domainEntry } from '../domain-entry.ts'
import type { StoredFirmographics } from './firmographics-store.ts'
import type { FirmographicsReason, FirmographicsResult } from './schemas.ts'

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

/** How a refresh of a Domain ended. `attemptedAt: null`: it was not attempted. */
export type RefreshOutcome =
  /** `wasStored`: before the request, by an earlier check. */
  | { status: 'completed'; attemptedAt: Date; wasStored?: boolean }
  | { status: 'failed'; attemptedAt: Date; reason: FirmographicsReason }
  | { status: 'not_attempted'; attemptedAt: null; reason: FirmographicsReason }

type Stored = Omit<StoredFirmographics, 'domain'>

/** `refresh`: how it ended, of a Domain whose refresh is due. */
export function serveFirmographics(
  domain: Static<typeof domainEntry>,
  stored: Stored | undefined,
  { now, maxAgeDays, allowStale }: FreshnessRules,
  refresh?: RefreshOutcome,
): FirmographicsResult {
  const isRefreshed = refresh?.status === 'completed' && stored !== undefined
  const stale =
    stored !== undefined && !isRefreshed && isOlder(stored.fetched_at, maxAgeDays ?? freshDaysDefault, now)
  const isDue = !isRefreshed && isRefreshDue(stored, { now, maxAgeDays })
  const failure = showRefresh(refresh, isDue).reason
  const available = stored !== undefined && (allowStale || !isDue)
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

export function isRefreshDue(
  stored: Stored | undefined,
  { now, maxAgeDays }: Pick<FreshnessRules, 'now' | 'maxAgeDays'>,
): boolean {
  return maxAgeDays !== undefined && (stored === undefined || isOlder(stored.fetched_at, maxAgeDays, now))
}

/** `isDue`: stored data is too old, and nothing newer was fetched. */
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

/** Without a source, nothing is attempted. */
const reasonOf = (refresh: RefreshOutcome | undefined): FirmographicsReason =>
  refresh === undefined || refresh.status === 'completed' ? 'source_unavailable' : refresh.reason

/** With 0 days all data is too old, even if the clocks disagree. */
function isOlder(fetchedAt: Date, days: number, now: Date): boolean {
  return days === 0 || now.getTime() - fetchedAt.getTime() > days * dayMs
}
