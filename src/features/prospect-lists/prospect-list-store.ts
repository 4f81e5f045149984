import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import type { Cadence, VisibleStatus } from './list-values.ts'
import type { ProspectListResult } from './result-schema.ts'

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
  after: ListPosition | null
}

const visibleColumns = sql`
  prospect_list_ref, status, cadence, requested_at, ready_at, target_account_count`

/** Times are text: a Date loses microseconds, and a cursor would skip rows. */
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
           : sql`
       and (requested_at, prospect_list_ref collate "C")
         < (${after.requestedAt}::timestamptz, ${after.ref})`
       }
     order by requested_at desc, prospect_list_ref collate "C" desc
     limit ${limit}`.execute(database)
  return rows.map(({ moment, ...list }) => ({
    list,
    position: { requestedAt: moment, ref: list.prospect_list_ref },
  }))
}

/** undefined: missing, cancelled, or of another account. */
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
