import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { ProspectListResult } from './result-schema.ts'
import type { Cadence, ListStatus } from './schemas.ts'

export type StoredList = { id: number; account_id: number | null; status: ListStatus; ready_at: Date | null }

/** By the key of an interchange file, or by the ref, which is the key that a dump gives to lists of staff. */
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

/** Whether a list holds this result, however it is written. */
export async function sameResult(tx: Transaction, id: number, result: ProspectListResult): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select result = ${JSON.stringify(result)}::jsonb as same from prospect_lists where id = ${id}`.execute(tx)
  return rows[0]?.same ?? false
}

export type ImportedList = {
  cadence: Cadence
  status: ListStatus
  /** null: what is held stays. */
  requestedAt: Date | null
  readyAt: Date | null
  result: ProspectListResult | null
}

/** Writes what a line says; false when that is what is held. */
export async function updateImported(tx: Transaction, id: number, list: ImportedList): Promise<boolean> {
  const result = list.result === null ? null : JSON.stringify(list.result)
  const { rows } = await sql`
    update prospect_lists list
       set cadence = said.cadence, status = said.status, requested_at = said.requested_at, ready_at = said.ready_at,
           result = said.result
      from (
        select ${list.cadence}::text as cadence, ${list.status}::text as status,
               coalesce(${list.requestedAt}::timestamptz, held.requested_at) as requested_at,
               coalesce(${list.readyAt}::timestamptz, held.ready_at) as ready_at,
               ${result}::jsonb as result
          from prospect_lists held
         where held.id = ${id}
      ) said
     where list.id = ${id}
       and (list.cadence, list.status, list.requested_at, list.ready_at, list.result)
           is distinct from (said.cadence, said.status, said.requested_at, said.ready_at, said.result)
    returning 1`.execute(tx)
  return rows.length === 1
}
