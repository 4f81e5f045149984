import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type UsageDay = {
  /** A day in UTC, such as `2026-11-23`. */
  day: string
  endpoint: string
  /** The id of the key; null for requests without a key. */
  key_id: number | null
  requests: number
  credits: number
}

/**
 * Sums usage by day, endpoint and key. Finished days have stored sums; other days are summed from records.
 */
export async function readUsageDays(
  database: Database,
  { accountId, from, until }: { accountId: number; from: string; until: string },
): Promise<UsageDay[]> {
  const { rows } = await sql<UsageDay>`
    with days as materialized (
      select wanted.day::date as day, done.day is not null as is_summed
        from generate_series(${from}::date, ${until}::date, interval '1 day') as wanted (day)
        left join summed_days done on done.day = wanted.day::date
    )
    select sums.day::text as day, sums.endpoint, nullif(sums.key_id, 0) as key_id, sums.requests, sums.credits
      from days
     cross join lateral (
       select stored.day, stored.endpoint, stored.key_id, stored.requests, stored.credits
         from usage_days stored
        where days.is_summed and stored.account_id = ${accountId} and stored.day = days.day
       union all
       select days.day, record.endpoint, coalesce(record.key_id, 0), count(*), sum(record.credits)::bigint
         from usage_records record
        where not days.is_summed
          and record.account_id = ${accountId}
          and record.requested_at >= days.day::timestamp at time zone 'UTC'
          and record.requested_at < (days.day + 1)::timestamp at time zone 'UTC'
        group by record.endpoint, coalesce(record.key_id, 0)
     ) sums
     order by sums.day, sums.endpoint, sums.key_id`.execute(database)
  return rows
}

/**
 * Stores the sums of finished days whose sums are missing, the oldest first. Returns the number of days.
 */
export function sumUsageDays(database: Database, now: Date, signal?: AbortSignal): Promise<number> {
  const first = sql`(select (min(requested_at) at time zone 'UTC')::date from usage_records)`
  return sumEachDay(database, signal, tx =>
    sql<{ day: string }>`
    with ${markFinishedDay('summed_days', { now, first })}, sums as (
      insert into usage_days (account_id, day, endpoint, key_id, requests, credits)
      select record.account_id, done.day, record.endpoint, coalesce(record.key_id, 0), count(*),
             sum(record.credits)
        from done
        join usage_records record
          on record.requested_at >= done.day::timestamp at time zone 'UTC'
         and record.requested_at < (done.day + 1)::timestamp at time zone 'UTC'
       group by record.account_id, done.day, record.endpoint, coalesce(record.key_id, 0)
    )
    select day::text from done`.execute(tx),
  )
}

/** A day counts as finished after this time. Usage records are written minutes late at most. */
const lateHours = 1
const daysAtOnceMax = 31
/** A day has 86,400,000 records at 1,000 requests a second, which was not tried. */
const dayWithin = '30min'

/**
 * Sums one day in each transaction, so that a failure loses one day only. `sumNext` returns a row if it has
 * summed one. Returns at once while another process sums.
 */
export async function sumEachDay(
  database: Database,
  signal: AbortSignal | undefined,
  sumNext: (tx: Transaction) => Promise<{ rows: unknown[] }>,
): Promise<number> {
  const sumOne = () =>
    database.transaction().execute(async tx => {
      const { rows } = await sql<{ is_mine: boolean }>`
        select pg_try_advisory_xact_lock(
                 hashtextextended('baize ' || current_schema() || ' sums', 0)) as is_mine,
               set_config('statement_timeout', ${dayWithin}, true)`.execute(tx)
      return rows[0]?.is_mine ? (await sumNext(tx)).rows.length : 0
    })
  let days = 0
  while (days < daysAtOnceMax && !signal?.aborted && (await sumOne()) > 0) days += 1
  return days
}

/**
 * Writes the CTEs `first` and `done`, which mark the next finished day in a table of days, in order and
 * without a gap. The parameter `first` is the day of the first record, for a table that is still empty.
 */
export function markFinishedDay(
  table: 'summed_days' | 'summed_ledger_days',
  { now, first }: { now: Date; first: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    first as (
      -- Days are summed in order, so the records are searched for the first one once.
      select coalesce((select max(day) + 1 from ${sql.table(table)}), ${first}) as day
    ), done as (
      insert into ${sql.table(table)} (day)
      select day
        from first
       where day < ((${now}::timestamptz - make_interval(hours => ${lateHours})) at time zone 'UTC')::date
      on conflict do nothing
      returning day
    )`
}
