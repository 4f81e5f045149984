import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import type { ProspectListResult } from './result-schema.ts'
import type { Cadence, VisibleStatus } from './schemas.ts'

/** A list as its client sees it. Cancelled ones are seen by nobody. */
export type VisibleList = {
  prospect_list_ref: string
  status: VisibleStatus
  cadence: Cadence
  requested_at: Date
  ready_at: Date | null
  target_account_count: number | null
}

export type ListPosition = { requestedAt: string; ref: string }

export type ListFilters = {
  accountId: number
  status: VisibleStatus | undefined
  cadence: Cadence | undefined
  /** Behind this row; null: from the newest on. */
  after: ListPosition | null
}

const visibleColumns = sql`
  prospect_list_ref, status, cadence, requested_at, ready_at, target_account_count`

/**
 * The lists of a client, the latest request first; ties by ref, so that the order is total. Positions carry the time as
 * the database writes it: a Date would lose microseconds, and rows with them.
 */
export async function readListPage(
  database: Database,
  { accountId, status, cadence, after }: ListFilters,
  limit: number,
): Promise<{ list: VisibleList; position: ListPosition }[]> {
  const { rows } = await sql<VisibleList & { moment: string }>`
    select ${visibleColumns}, requested_at::text as moment
      from prospect_lists
     where account_id = ${accountId}
       and status <> 'cancelled'
       and (${status ?? null}::text is null or status = ${status ?? null})
       and (${cadence ?? null}::text is null or cadence = ${cadence ?? null})
       ${
         after === null
           ? sql``
           : sql`and (requested_at, prospect_list_ref collate "C") < (${after.requestedAt}::timestamptz, ${after.ref})`
       }
     order by requested_at desc, prospect_list_ref collate "C" desc
     limit ${limit}`.execute(database)
  return rows.map(({ moment, ...list }) => ({
    list,
    position: { requestedAt: moment, ref: list.prospect_list_ref },
  }))
}

/** One list of a client with its result; undefined for a cancelled one, another client's, and none at all. */
export async function findVisibleList(
  database: Database,
  accountId: number,
  ref: string,
): Promise<(VisibleList & { result: ProspectListResult | null }) | undefined> {
  const { rows } = await sql<VisibleList & { result: ProspectListResult | null }>`
    select ${visibleColumns}, result
      from prospect_lists
     where prospect_list_ref = ${ref}
       and account_id = ${accountId}
       and status <> 'cancelled'`.execute(database)
  return rows[0]
}
