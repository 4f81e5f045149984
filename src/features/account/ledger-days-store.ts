import { sql } from 'kysely'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database } from '../../database/open.ts'
import type { Sums } from './statement-store.ts'
import { markFinishedDay, sumEachDay } from './usage-days-store.ts'

/**
 * Sums the ledger from a day (UTC) on. Finished days have stored sums; other days are summed from entries.
 */
export async function sumsSince(database: Database, accountId: number, day: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    with sums as (
      select granted, used
        from ledger_days
       where account_id = ${accountId}
         and day >= ${day}::date
      union all
      select case kind when 'grant' then credits else 0 end, case kind when 'charge' then credits else 0 end
        from ledger_entries
       where account_id = ${accountId}
         and recorded_at >= ${await firstOpenDay(database, day)}::date::timestamp at time zone 'UTC'
    )
    select coalesce(sum(granted), 0)::bigint as granted, coalesce(sum(used), 0)::bigint as used
      from sums`.execute(database)
  return rows[0] as Sums
}

/**
 * Returns the first day, from `from` on, without stored sums. With a constant day the planner estimates few
 * entries.
 */
async function firstOpenDay(database: Database, from: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select greatest(${from}::date, (select max(day) + 1 from summed_ledger_days))::text as day`.execute(
    database,
  )
  return rows[0]?.day as string
}

/**
 * Stores the sums of finished days whose sums are missing, the oldest first. Returns the number of days.
 */
export function sumLedgerDays(database: Database, now: Date, signal?: AbortSignal): Promise<number> {
  const first = sql`(select (min(recorded_at) at time zone 'UTC')::date from ledger_entries)`
  return sumEachDay(database, signal, tx =>
    sql<{ day: string }>`
    with ${markFinishedDay('summed_ledger_days', { now, first })}, sums as (
      insert into ledger_days (account_id, day, granted, used)
      select entry.account_id, done.day,
             coalesce(sum(entry.credits) filter (where entry.kind = 'grant'), 0),
             coalesce(sum(entry.credits) filter (where entry.kind = 'charge'), 0)
        from done
        join ledger_entries entry
          on entry.recorded_at >= done.day::timestamp at time zone 'UTC'
         and entry.recorded_at < (done.day + 1)::timestamp at time zone 'UTC'
       group by entry.account_id, done.day
    )
    select day::text from done`.execute(tx),
  )
}

export type LedgerDayDifference = { account_ref: string; day: string; stored: number[]; recomputed: number[] }

/** Compares the stored sums of each day, granted and used, with its ledger entries. */
export async function verifyLedgerDays(database: Database): Promise<LedgerDayDifference[]> {
  const { rows } = await sql<LedgerDayDifference>`
    with recomputed as (
      select account_id, (recorded_at at time zone 'UTC')::date as day,
             coalesce(sum(credits) filter (where kind = 'grant'), 0)::bigint as granted,
             coalesce(sum(credits) filter (where kind = 'charge'), 0)::bigint as used
        from ledger_entries
       where (recorded_at at time zone 'UTC')::date in (select day from summed_ledger_days)
       group by 1, 2
    )
    select account.account_ref, day::text,
           json_build_array(coalesce(stored.granted, 0), coalesce(stored.used, 0)) as stored,
           json_build_array(coalesce(recomputed.granted, 0), coalesce(recomputed.used, 0)) as recomputed
      from ledger_days stored
      full join recomputed using (account_id, day)
      join accounts account on account.id = account_id
     where (stored.granted, stored.used) is distinct from (recomputed.granted, recomputed.used)
     order by day, account.account_ref
     limit ${differencesShownMax}`.execute(database)
  return rows
}
