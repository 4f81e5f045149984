import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { Cadence, ListStatus } from './list-values.ts'
import type { ProspectListResult } from './result-schema.ts'

export type StoredList = { id: number; account_id: number | null; status: ListStatus; ready_at: Date | null }

/** By the key, or by the ref, which dumps write as the key of lists that staff created. */
export async function lockImportedList(tx: Transaction, key: string): Promise<StoredList | undefined> {
  const { rows } = await sql<StoredList>`
    select id, account_id, status, ready_at
      from prospect_lists
     where import_key = ${key} or prospect_list_ref = ${key}
     order by import_key = ${key} desc nulls last
     limit 1
       for update`.execute(tx)
  return rows[0]
}

/** As jsonb, so that formatting does not matter. */
export async function sameResult(tx: Transaction, id: number, result: ProspectListResult): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select result = ${JSON.stringify(result)}::jsonb as same from prospect_lists where id = ${id}`.execute(tx)
  return rows[0]?.same ?? false
}

export type ImportedList = {
  cadence: Cadence
  status: ListStatus
  /** null: keep the stored time. */
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
