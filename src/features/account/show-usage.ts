import { readDomain } from '../../core/domain-name.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { requireAccount } from './manage-accounts.ts'
import { readUsage, type UsageRow } from './usage-store.ts'

const perPageDefault = 10
const perPageMax = 50
const compactRowsMax = 50
/** As deep as pages of searches reach. */
const pageDepthRowsMax = 10_000

/** A usage record as its customer sees it (§2.15). */
export type UsageRecord = UsageRow

export type UsageOverview = {
  page: number
  per_page: number
  has_more: boolean
  /** Send it along for the next page: requests that come meanwhile then shift nothing. */
  as_of: Date
  records: UsageRecord[]
}

export type UsageQuery = { page?: number; perPage?: number; asOf?: Date; now: Date }

/**
 * A page of what an account asked for, the latest first: 10 records a page unless told, and 50 at most, whatever is
 * asked for (§2.15).
 */
export async function usageOverview(
  world: World,
  accountRef: string,
  { page = 1, perPage = perPageDefault, now, asOf = now }: UsageQuery,
): Promise<UsageOverview> {
  const { id: accountId } = await requireAccount(world, accountRef)
  if (!Number.isSafeInteger(page) || page < 1) throw new StaffError('Pages are counted from 1.')
  if (!Number.isSafeInteger(perPage) || perPage < 1)
    throw new StaffError(`A page has 1 to ${perPageMax} records.`)
  const size = Math.min(perPage, perPageMax)
  if (page * size > pageDepthRowsMax)
    throw new StaffError(`Pages reach ${pageDepthRowsMax} records deep; page ${page} of ${size} lies beyond.`)
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

/** The latest records of an account, 50 at most. */
export async function recentUsage(world: World, accountRef: string, now: Date): Promise<UsageRecord[]> {
  const { id: accountId } = await requireAccount(world, accountRef)
  const rows = await readUsage(world.database, { accountId, asOf: now, skipped: 0, limit: compactRowsMax })
  return rows.map(forCustomer)
}

/** `domain`, `domains[]`, `host`, `domain_after` … of whatever operation. */
const namesSites = /^(domain|host)s?(_after)?(\[\])?$/i

/** A text that is a site is one, under whatever name it was sent: `q` is searched by it, and a misspelt name was refused. */
const isSite = (value: unknown) => typeof value === 'string' && value.includes('.') && readDomain(value).ok

/** Which sites were asked for is stored, and removed from what customers see (§2.15): several people read one view. */
function forCustomer(row: UsageRow): UsageRecord {
  return { ...row, request_params: withoutSites(row.request_params) }
}

function withoutSites(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(each => !isSite(each)).map(withoutSites)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name, member]) => !namesSites.test(name) && !isSite(member))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSites(member)]))
}
