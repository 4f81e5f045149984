import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { ProspectListResult } from './result-schema.ts'
import type { Cadence, ListStatus } from './schemas.ts'

export type StaffList = {
  prospect_list_ref: string
  /** The account of the list; null if it is not assigned yet. */
  account_ref: string | null
  account_name: string | null
  status: ListStatus
  cadence: Cadence
  requested_at: Date
  ready_at: Date | null
  target_account_count: number | null
  /** The person who sent the public form; null for other lists. */
  requested_by: { name: string; email: string; company: string; request: string } | null
}

export type LockedList = {
  id: number
  account_id: number | null
  account_ref: string | null
  status: ListStatus
  cadence: Cadence
}

const staffColumns = sql`
  list.prospect_list_ref, account.account_ref, account.name as account_name, list.status, list.cadence,
  list.requested_at, list.ready_at, list.target_account_count,
  case when request.prospect_list_id is not null
       then json_build_object('name', request.name, 'email', request.email, 'company', request.company,
                              'request', request.request)
  end as requested_by`

const staffLists = sql`
  prospect_lists list
  left join accounts account on account.id = list.account_id
  left join prospect_list_requests request on request.prospect_list_id = list.id`

export type StaffFilters = {
  status?: ListStatus | readonly ListStatus[]
  accountId?: number
  unassigned?: boolean
  /** Adds weekly lists that were last delivered before this time. */
  orDueSince?: Date
  /** The ref of a list; only the lists that follow it are read. */
  after?: string
}

/** Reads lists for staff: first those that wait for staff, then the newest first. */
export async function readStaffLists(
  database: Database,
  { status, accountId, unassigned = false, orDueSince, after }: StaffFilters,
  limit: number,
): Promise<StaffList[]> {
  const statuses = status === undefined ? null : [status].flat()
  const rank = (of: string) => sql`${sql.table(of)}.status in ('requested', 'preparing')`
  const following = sql`
    (${rank('list')}, list.requested_at, list.id)
      < (select ${rank('shown')}, shown.requested_at, shown.id
           from prospect_lists shown
          where shown.prospect_list_ref = ${after ?? null})`
  const { rows } = await sql<StaffList>`
    select ${staffColumns}
      from ${staffLists}
     where (
             ${statuses}::text[] is null
             or list.status = any (${statuses}::text[])
             or list.status = 'ready' and list.cadence = 'weekly'
                and list.ready_at <= ${orDueSince ?? null}::timestamptz
           )
       and (${accountId ?? null}::bigint is null or list.account_id = ${accountId ?? null})
       and (not ${unassigned}::boolean or list.account_id is null)
       and ${after === undefined ? sql`true` : following}
     order by list.status in ('requested', 'preparing') desc, list.requested_at desc, list.id desc
     limit ${limit}`.execute(database)
  return rows
}

export async function findStaffList(database: Database, ref: string): Promise<StaffList | undefined> {
  const { rows } = await sql<StaffList>`
    select ${staffColumns}
      from ${staffLists}
     where list.prospect_list_ref = ${ref}`.execute(database)
  return rows[0]
}

export type NewList = {
  accountId: number | null
  cadence: Cadence
  status: ListStatus
  requestedAt: Date
  readyAt?: Date | null
  result?: ProspectListResult | null
  importKey?: string
}

export async function insertList(tx: Transaction, list: NewList): Promise<{ id: number; ref: string }> {
  const result = list.result == null ? null : JSON.stringify(list.result)
  const { rows } = await sql<{ id: number; ref: string }>`
    insert into prospect_lists
      (prospect_list_ref, import_key, account_id, cadence, status, requested_at, ready_at, result)
    values (${newRef('pl')}, ${list.importKey ?? null}, ${list.accountId}, ${list.cadence}, ${list.status},
            ${list.requestedAt}, ${list.readyAt ?? null}, ${result}::jsonb)
    returning id, prospect_list_ref as ref`.execute(tx)
  return rows[0] as { id: number; ref: string }
}

/**
 * Counts the account's open requests, and locks the account, so that simultaneous requests are all counted.
 */
export async function countRequested(tx: Transaction, accountId: number): Promise<number> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ lists: number }>`
    select count(*) as lists
      from prospect_lists
     where account_id = ${accountId} and status = 'requested'`.execute(tx)
  return (rows[0] as { lists: number }).lists
}

export async function lockList(tx: Transaction, ref: string): Promise<LockedList | undefined> {
  const { rows } = await sql<LockedList>`
    select list.id, list.account_id, account.account_ref, list.status, list.cadence
      from prospect_lists list
      left join accounts account on account.id = list.account_id
     where list.prospect_list_ref = ${ref}
       for update of list`.execute(tx)
  return rows[0]
}

export async function markPreparing(tx: Transaction, id: number): Promise<void> {
  await sql`update prospect_lists set status = 'preparing' where id = ${id}`.execute(tx)
}

export async function markReady(
  tx: Transaction,
  id: number,
  { result, readyAt }: { result: ProspectListResult; readyAt: Date },
): Promise<void> {
  await sql`
    update prospect_lists
       set status = 'ready', result = ${JSON.stringify(result)}::jsonb, ready_at = ${readyAt}
     where id = ${id}`.execute(tx)
}

/** Lists when a list was delivered, the latest first. */
export async function readDeliveries(database: Database, accountId: number, ref: string): Promise<string[]> {
  const { rows } = await sql<{ happened_at: Date }>`
    select happened_at from audit_events
     where account_id = ${accountId} and action = 'prospect_list.delivered' and subject = ${ref}
     order by id desc limit 100`.execute(database)
  return rows.map(each => each.happened_at.toISOString())
}

export async function markCancelled(tx: Transaction, id: number): Promise<void> {
  await sql`update prospect_lists set status = 'cancelled', result = null where id = ${id}`.execute(tx)
  await sql`delete from prospect_list_requests where prospect_list_id = ${id}`.execute(tx)
}

export async function markAssigned(tx: Transaction, id: number, accountId: number): Promise<void> {
  await sql`update prospect_lists set account_id = ${accountId} where id = ${id}`.execute(tx)
}

export type FormRequest = { name: string; email: string; company: string; request: string }

export async function insertRequest(
  tx: Transaction,
  listId: number,
  { name, email, company, request }: FormRequest,
  receivedAt: Date,
): Promise<void> {
  await sql`
    insert into prospect_list_requests (prospect_list_id, name, email, company, request, received_at)
    values (${listId}, ${name}, ${email}, ${company}, ${request}, ${receivedAt})`.execute(tx)
}

/** Deletes old unhandled requests of the public form, and skips locked ones. */
export async function deleteUnhandledRequests(tx: Transaction, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select list.id
      from prospect_lists list
      join prospect_list_requests request on request.prospect_list_id = list.id
     where list.requested_at < ${before}
       and list.status = 'requested'
       and list.account_id is null
     order by list.requested_at
     limit ${limit}
       for update of list skip locked`.execute(tx)
  const ids = rows.map(row => row.id)
  await sql`delete from prospect_list_requests where prospect_list_id = any (${ids}::bigint[])`.execute(tx)
  await sql`delete from prospect_lists where id = any (${ids}::bigint[])`.execute(tx)
  return ids.length
}
