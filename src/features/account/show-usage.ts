import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { requireAccount } from './manage-accounts.ts'
import { withoutSites } from './shown-usage.ts'
import { readUsage, type UsageRow } from './usage-store.ts'

const perPageDefault = 10
const perPageMax = 50
const compactRowsMax = 50
/** The deepest row of a page, as in searches. */
const pageDepthRowsMax = 10_000

/** A usage record without the requested domains (§2.15). */
export type UsageRecord = UsageRow

export type UsageOverview = {
  page: number
  per_page: number
  has_more: boolean
  /** The moment of the first page. Send it for the next page, so that new requests do not shift the rows. */
  as_of: Date
  records: UsageRecord[]
}

export type UsageQuery = { page?: number; perPage?: number; asOf?: Date; now: Date }

/** Returns a page of the account's usage records, the latest first (§2.15). A page has at most 50 records. */
export async function usageOverview(
  world: World,
  accountRef: string,
  { page = 1, perPage = perPageDefault, now, asOf = now }: UsageQuery,
): Promise<UsageOverview> {
  const { id: accountId } = await requireAccount(world, accountRef)
  if (!Number.isSafeInteger(page) || page < 1)
    throw new StaffError('The page must be a whole number, 1 or more.')
  if (!Number.isSafeInteger(perPage) || perPage < 1)
    throw new StaffError(`A page must have 1 to ${perPageMax} records.`)
  const size = Math.min(perPage, perPageMax)
  if (page * size > pageDepthRowsMax)
    throw new StaffError(`Page ${page} of ${size} records is beyond the first ${pageDepthRowsMax} records.`)
  const rows = await readUsage(world.database, {
    accountId,
    asOf,
    skipped: (page - 1) * size,
    limit: size + 1,
  })
  return {
    page,
    per_page: size,
    has_more: rows.length > size,
    as_of: asOf,
    records: rows.slice(0, size).map(forCustomer),
  }
}

export async function recentUsage(world: World, accountRef: string, now: Date): Promise<UsageRecord[]> {
  const { id: accountId } = await requireAccount(world, accountRef)
  const rows = await readUsage(world.database, { accountId, asOf: now, skipped: 0, limit: compactRowsMax })
  return rows.map(forCustomer)
}

/** Removes requested sites: several people share an account, so customers do not see them (§2.15). */
function forCustomer(row: UsageRow): UsageRecord {
  return { ...row, request_params: withoutSites(row.request_params) }
}
