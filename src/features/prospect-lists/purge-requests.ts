import type { Database } from '../../database/open.ts'
import { deleteUnhandledRequests } from './staff-lists-store.ts'

/**
 * Requests of the public form contain personal data. They are deleted unless staff prepare, assign or cancel
 * them.
 */
export const unhandledRequestDays = 90

const dayMs = 24 * 60 * 60_000
/** Per run; the job runs every minute. */
const deletedMax = 1_000

/** Deletes expired requests of the public form with their lists. Returns their number. */
export function purgeRequests(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unhandledRequestDays * dayMs)
  return database.transaction().execute(tx => deleteUnhandledRequests(tx, before, deletedMax))
}
