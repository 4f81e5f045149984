/** Days whose records are summed up once, when no further one can come. */
import { type RawBuilder, sql } from 'kysely'

/** A day is finished when no request of it can be recorded any more: they wait for minutes at most. */
const lateHours = 1
const daysAtOnceMax = 31

/**
 * The CTEs `first` and `done`: marks finished days in a table of days, the oldest first, without a gap.
 * `first` is the day of the first record, for a table that is still empty.
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
