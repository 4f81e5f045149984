import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/open.ts'

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
export async function sumUsageDays(database: Database, now: Date): Promise<number> {
  const first = sql`(select min(requested_at at time zone 'UTC')::date from usage_records)`
  const { rows } = await sql<{ day: string }>`
    with ${markFinishedDays('summed_days', { now, first })}, sums as (
      insert into usage_days (account_id, day, endpoint, key_id, requests, credits)
      select record.account_id, done.day, record.endpoint, coalesce(record.key_id, 0), count(*),
             sum(record.credits)
        from done
        join usage_records record
          on record.requested_at >= done.day::timestamp at time zone 'UTC'
         and record.requested_at < (done.day + 1)::timestamp at time zone 'UTC'
       group by record.account_id, done.day, record.endpoint, coalesce(record.key_id, 0)
    )
    select day::text from done`.execute(database)
  return rows.length
}

/** A day counts as finished after this time. Usage records are written minutes late at most. */
const lateHours = 1
const daysAtOnceMax = 31

/**
 * Writes the CTEs `first` and `done`, which mark finished days in a table of days, in order and without a
 * gap. The parameter `first` is the day of the first record, for a table that is still empty.
 */
export function markFinishedDays(
  table: 'summed_days' | 'summed_ledger_days',
  { now, first }: { now: Date; first: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    first as (
      -- Days are summed in order, so the records are searched for the first one once.
      select coalesce((select max(day) + 1 from ${sql.table(table)}), ${first}) as day
    ), done as (
      insert into ${sql.table(table)} (day)
      select wanted.day::date
        from first
       cross join generate_series(
               first.day,
               ((${now}::timestamptz - make_interval(hours => ${lateHours})) at time zone 'UTC')::date - 1,
               interval '1 day') as wanted (day)
       order by wanted.day
       limit ${daysAtOnceMax}
      on conflict do nothing
      returning day
    )`
}
