import { sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { ProspectListResult } from './result-schema.ts'
import type { Cadence, ListStatus, VisibleStatus } from './schemas.ts'

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

/** Reads a page of lists. Times are text, because a Date loses microseconds and a cursor would skip rows. */
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

/**
 * Finds a list of the account. Missing, cancelled and foreign lists have the same 404, so that refs cannot
 * be probed.
 */
export async function requireVisibleList(
  database: Database,
  accountId: number,
  ref: string,
): Promise<VisibleList & { result: ProspectListResult | null }> {
  const { rows } = await sql<VisibleList & { result: ProspectListResult | null }>`
    select ${visibleColumns}, result
      from prospect_lists
     where prospect_list_ref = ${ref}
       and account_id = ${accountId}
       and status <> 'cancelled'`.execute(database)
  const [list] = rows
  if (list === undefined)
    throw new Failure('not_found', { message: 'You have no prospect list with this reference.' })
  return list
}

export type StoredProspectList = {
  id: number
  account_id: number | null
  status: ListStatus
  ready_at: Date | null
}

/** Locks a list by its import key, or by its ref: dumps write the ref of staff's lists as their key. */
export async function lockImportedList(
  tx: Transaction,
  key: string,
): Promise<StoredProspectList | undefined> {
  const { rows } = await sql<StoredProspectList>`
    select id, account_id, status, ready_at
      from prospect_lists
     where import_key = ${key} or prospect_list_ref = ${key}
     order by import_key = ${key} desc nulls last
     limit 1
       for update`.execute(tx)
  return rows[0]
}

/** Compares a stored result as jsonb, so that formatting does not matter. */
export async function sameResult(tx: Transaction, id: number, result: ProspectListResult): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select result = ${JSON.stringify(result)}::jsonb as same from prospect_lists where id = ${id}`.execute(tx)
  return rows[0]?.same ?? false
}

type ImportedList = {
  cadence: Cadence
  status: ListStatus
  /** The time of the request; null keeps the stored time. */
  requestedAt: Date | null
  readyAt: Date | null
  result: ProspectListResult | null
}

export async function updateImported(tx: Transaction, id: number, list: ImportedList): Promise<boolean> {
  const result = list.result === null ? null : JSON.stringify(list.result)
  const { rows } = await sql`
    update prospect_lists list
       set cadence = imported.cadence, status = imported.status, requested_at = imported.requested_at,
           ready_at = imported.ready_at, result = imported.result
      from (
        select ${list.cadence}::text as cadence, ${list.status}::text as status,
               coalesce(${list.requestedAt}::timestamptz, stored.requested_at) as requested_at,
               coalesce(${list.readyAt}::timestamptz, stored.ready_at) as ready_at,
               ${result}::jsonb as result
          from prospect_lists stored
         where stored.id = ${id}
      ) imported
     where list.id = ${id}
       and (list.cadence, list.status, list.requested_at, list.ready_at, list.result)
           is distinct from
           (imported.cadence, imported.status, imported.requested_at, imported.ready_at, imported.result)
    returning 1`.execute(tx)
  return rows.length === 1
}
