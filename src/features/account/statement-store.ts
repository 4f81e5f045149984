import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { microsecondsOf, type UsagePosition } from './usage-store.ts'

/** The first and last day (UTC), both included; null means no limit. */
export type StatementDays = { from: string | null; to: string | null }

export type Sums = { granted: number; used: number }

const before = (day: string) => sql`recorded_at < ${day}::date::timestamp at time zone 'UTC'`
const from = (day: string) => sql`recorded_at >= ${day}::date::timestamp at time zone 'UTC'`
const through = (day: string) =>
  sql`recorded_at < (${day}::date + interval '1 day')::timestamp at time zone 'UTC'`

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
  /** The price of the charge; null for grants. */
  price_key: string | null
  units: number | null
  /** The credits granted or used; never negative. */
  credits: number
  /** The request that caused the entry; null without one. */
  request_id: string | null
  /** The endpoint of the request; null without a request, or if its usage record was deleted. */
  endpoint: string | null
  note: string | null
  usage: UsagePosition | null
}

const entriesAtOnce = 1_000
/** The minutes within which every request is settled. */
const requestMinutesMax = 6

/** Returns the number of the account's last ledger entry, or 0 without entries. */
export async function readLastEntryId(database: Database, accountId: number): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(entry_id) as last from ledger_entries where account_id = ${accountId}`.execute(database)
  return rows[0]?.last ?? 0
}

/**
 * Yields the account's ledger entries by number. That is the order of settling, because settling locks the
 * account. Each entry has the endpoint of its request: that of the last settled usage record before the
 * entry with the same request id.
 */
export async function* readEntries(
  database: Database,
  { accountId, days, lastEntryId }: { accountId: number; days: StatementDays; lastEntryId: number },
): AsyncGenerator<EntryRow[]> {
  let after = 0
  for (;;) {
    const page = sql`
      account_id = ${accountId}
      and entry_id > ${after}
      and entry_id <= ${lastEntryId}
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

/** Returns the ledger entries before the entry `before`, the latest first. */
export function readEntriesBefore(
  database: Database,
  wanted: { accountId: number; days: StatementDays; before: number | null; limit: number },
): Promise<EntryRow[]> {
  const { days } = wanted
  const page = sql`
    account_id = ${wanted.accountId}
    ${wanted.before === null ? sql`` : sql`and entry_id < ${wanted.before}`}
    ${days.from === null ? sql`` : sql`and ${from(days.from)}`}
    ${days.to === null ? sql`` : sql`and ${through(days.to)}`}
    order by entry_id desc
    limit ${wanted.limit}`
  return readPage(database, wanted.accountId, { page, order: sql`page.entry_id desc` })
}

/** Reads ledger entries, each with the endpoint of the request that caused it. */
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
    select page.*, request.endpoint, request.usage
      from page
      left join lateral (
        select record.endpoint,
               json_build_object(
                 'usageId', record.usage_id::text, 'at', ${microsecondsOf(sql`record.requested_at`)}) as usage
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
