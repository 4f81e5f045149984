import type { Database } from '../../database/open.ts'
import { deleteUnhandledRequests } from './staff-lists-store.ts'

/** Requests that staff did not prepare, assign or cancel are deleted: they contain personal data. */
export const unhandledRequestDays = 90

const dayMs = 24 * 60 * 60_000
/** Per run; the job runs every minute. */
const deletedMax = 1_000

export function purgeRequests(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unhandledRequestDays * dayMs)
  return database.transaction().execute(tx => deleteUnhandledRequests(tx, before, deletedMax))
}
