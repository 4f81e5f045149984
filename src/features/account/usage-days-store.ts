import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { markFinishedDays } from './finished-days-store.ts'

export type UsageDay = {
  /** `2026-11-23`, UTC. */
  day: string
  endpoint: string
  /** null: of no key. */
  key_id: number | null
  requests: number
  credits: number
}

/** Sums by day, endpoint and key: stored ones of finished days, and the others from the records. */
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

/** Sums up finished days that are not yet, the oldest first. Returns how many. */
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
