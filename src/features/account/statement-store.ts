import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

/** Days of a statement, each whole, UTC; null: from the first, or to the last. */
export type Days = { from: string | null; to: string | null }

export type Sums = { granted: number; used: number }

const before = (day: string) => sql`recorded_at < ${day}::date::timestamp at time zone 'UTC'`
const from = (day: string) => sql`recorded_at >= ${day}::date::timestamp at time zone 'UTC'`
const through = (day: string) =>
  sql`recorded_at < (${day}::date + interval '1 day')::timestamp at time zone 'UTC'`

const idleTimeoutMs = 60 * 60_000

/**
 * A statement is read as fast as somebody reads it: a pager makes it wait.
 */
export async function allowSlowReaders(tx: Transaction): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(idleTimeoutMs)}, true)`.execute(tx)
}

/** What was granted and used before a day. */
export async function sumsBefore(database: Database, accountId: number, day: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(credits) filter (where kind = 'grant'), 0)::bigint as granted,
           coalesce(sum(credits) filter (where kind = 'charge'), 0)::bigint as used
      from ledger_entries
     where account_id = ${accountId}
       and ${before(day)}`.execute(database)
  return rows[0] as Sums
}

export type EntryRow = {
  entry_id: number
  recorded_at: Date
  kind: 'grant' | 'charge'
  price_key: string | null
  units: number | null
  credits: number
  request_id: string | null
  endpoint: string | null
  note: string | null
}

const entriesAtOnce = 1_000
/** Longer than any request takes from being asked to being settled; one process writes both times down. */
const underWayMinutesMax = 6

/**
 * The ledger entries of an account in the order in which they were settled, which is that of their numbers: they are given
 * out while the account's balance is locked. With each goes the endpoint of the request that caused it, as long as its
 * usage record is kept: the last settled one of that request id before the entry.
 */
export async function* readEntries(
  database: Database,
  accountId: number,
  days: Days,
): AsyncGenerator<EntryRow[]> {
  let after = 0
  for (;;) {
    const { rows } = await sql<EntryRow>`
      with page as materialized (
        select entry_id, recorded_at, kind, price_key, units, credits, request_id, note
          from ledger_entries
         where account_id = ${accountId}
           and entry_id > ${after}
           ${days.from === null ? sql`` : sql`and ${from(days.from)}`}
           ${days.to === null ? sql`` : sql`and ${through(days.to)}`}
         order by entry_id
         limit ${entriesAtOnce}
      )
      select page.*, asked.endpoint
        from page
        left join lateral (
          select record.endpoint
            from usage_records record
           where page.request_id is not null
             and record.account_id = ${accountId}
             and record.requested_at <= page.recorded_at
             and record.requested_at > page.recorded_at - make_interval(mins => ${underWayMinutesMax}::int)
             and record.request_id = page.request_id
             and record.settlement_status = 'settled'
           order by record.requested_at desc, record.usage_id desc
           limit 1
        ) asked on true
       order by page.entry_id`.execute(database)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < entriesAtOnce) return
    after = last.entry_id
  }
}
