import type { Database } from '../../database/open.ts'
import { deleteUnhandledRequests } from './staff-lists-store.ts'

/** So long the public form's requests are kept that staff neither prepare, assign nor cancel: they are of strangers. */
export const unhandledRequestDays = 90

const dayMs = 24 * 60 * 60_000
/** Of one round; the next minute goes on. */
const deletedMax = 1_000

/** Deletes the requests of the public form that nobody took in time, with what was asked and by whom; tells how many. */
export function purgeRequests(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unhandledRequestDays * dayMs)
  return database.transaction().execute(tx => deleteUnhandledRequests(tx, before, deletedMax))
}
