import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

/** Whole days, UTC; null: no limit. */
export type Days = { from: string | null; to: string | null }

export type Sums = { granted: number; used: number }

const before = (day: string) => sql`recorded_at < ${day}::date::timestamp at time zone 'UTC'`
const from = (day: string) => sql`recorded_at >= ${day}::date::timestamp at time zone 'UTC'`
const through = (day: string) =>
  sql`recorded_at < (${day}::date + interval '1 day')::timestamp at time zone 'UTC'`

const idleTimeoutMs = 60 * 60_000

/** A pager may stop reading for a long time within the transaction. */
export async function allowSlowReaders(tx: Transaction): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(idleTimeoutMs)}, true)`.execute(tx)
}

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
/** Longer than any request takes until it is settled. */
const requestMinutesMax = 6

/**
 * The account's ledger entries by number, which is the order of settling, since settling locks the account.
 * Each has the endpoint of its request: that of the last settled usage record with the same request id
 * before the entry.
 */
export async function* readEntries(
  database: Database,
  accountId: number,
  days: Days,
): AsyncGenerator<EntryRow[]> {
  let after = 0
  for (;;) {
    const page = sql`
      account_id = ${accountId}
      and entry_id > ${after}
      ${days.from === null ? sql`` : sql`and ${from(days.from)}`}
      ${days.to === null ? sql`` : sql`and ${through(days.to)}`}
      order by entry_id
      limit ${entriesAtOnce}`
    const rows = await readPage(database, accountId, { page, order: sql`page.entry_id` })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < entriesAtOnce) return
    after = last.entry_id
  }
}

/** Latest first, before the entry with that number and before that day. */
export function readEntriesBefore(
  database: Database,
  wanted: { accountId: number; before: number | null; until: string | null; limit: number },
): Promise<EntryRow[]> {
  const page = sql`
    account_id = ${wanted.accountId}
    ${wanted.before === null ? sql`` : sql`and entry_id < ${wanted.before}`}
    ${wanted.until === null ? sql`` : sql`and ${before(wanted.until)}`}
    order by entry_id desc
    limit ${wanted.limit}`
  return readPage(database, wanted.accountId, { page, order: sql`page.entry_id desc` })
}

/** Entries with the endpoint of the request that caused each. */
async function readPage(
  database: Database,
  accountId: number,
  { page, order }: { page: RawBuilder<unknown>; order: RawBuilder<unknown> },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    with page as materialized (
      select entry_id, recorded_at, kind, price_key, units, credits, request_id, note
        from ledger_entries
       where ${page}
    )
    select page.*, request.endpoint
      from page
      left join lateral (
        select record.endpoint
          from usage_records record
         where page.request_id is not null
           and record.account_id = ${accountId}
           and record.requested_at <= page.recorded_at
           and record.requested_at > page.recorded_at - make_interval(mins => ${requestMinutesMax}::int)
           and record.request_id = page.request_id
           and record.settlement_status = 'settled'
         order by record.requested_at desc, record.usage_id desc
         limit 1
      ) request on true
     order by ${order}`.execute(database)
  return rows
}
