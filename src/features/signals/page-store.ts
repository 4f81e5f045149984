/**
 * Reads pages of feeds. Each stream and event type (signal_totals) has a separate index range, so a deep
 * page skips no other Signals. With days, signal_counts bounds the ranges. `offset 0` prevents a join in
 * the lookups by number.
 */
import type { PreparedRead, World } from '../../database/open.ts'
import { pageSizeMax } from './feed-schemas.ts'
import { readSource, type SourceRow, type SourceState } from './sources-store.ts'

/** A row of a feed. Corrections and Signals of a backfill are free. */
export type FeedRow = { number: number; correction_of: string | null; is_backfill?: boolean }
export type FeedPosition = { after: number; days: FeedDays | null }
export type FeedPage<Row extends FeedRow> = { rows: Row[]; total: number; sources: SourceState[] }

export const rowsMax = pageSizeMax + 1

const ofTotal = `counted.feed = total.feed
                and counted.market = total.market
                and counted.stream = total.stream
                and counted.event_type = total.event_type
                and counted.platform_id = total.platform_id`

export function rangesOf(kind: (table: string) => string, days: DayClauses): string {
  if (days.variant === '') {
    return `
      select total.stream, total.event_type, total.signals, total.first_number, total.last_number
        from signal_totals total
       where ${kind('total')}`
  }
  return `
      select total.stream, total.event_type, day.signals, day.first_number, day.last_number
        from signal_totals total
       cross join lateral (
         select sum(part.signals)::bigint as signals, min(part.first_number) as first_number,
                max(part.last_number) as last_number
           from (
             select counted.signals, counted.first_number, counted.last_number
               from signal_counts counted
              where ${ofTotal}
                ${days.ofDay}
             union all
             select counted.signals, counted.first_number, counted.last_number
               from signal_months counted
              where ${ofTotal}
                ${days.ofMonth}
           ) part
       ) day
       where ${kind('total')}
         and day.signals is not null`
}

type PageParts = { ranges: string; page: string; signals: string; sources: string }

/** Writes the SQL of a page. Only the first row has `sources`. */
export function pageText({ ranges, page, signals, sources }: PageParts): string {
  return `
    with ranges as materialized (${ranges}
    ),
    page as materialized (${page}
    )
    select counted.total,
           case when row_number() over (order by signal.number) = 1 then ${sources}
           end as sources,
           signal.*
      from (select coalesce(sum(signals), 0)::bigint as total from ranges) counted
      left join lateral (${signals}
      ) signal on true
     order by signal.number`
}

type Counted = { total: number; sources: SourceRow[] | null; number: number | null }

export async function readFeedPage<Row extends FeedRow>(
  world: World,
  statement: PreparedRead,
): Promise<FeedPage<Row>> {
  const rows = await world.read<Counted>(statement)
  return {
    total: rows[0]?.total ?? 0,
    sources: (rows[0]?.sources ?? []).map(readSource),
    rows: rows.filter(row => row.number !== null) as (Row & Counted)[],
  }
}

/** Writes the SQL of a page on the feed's own index, which `condition` bounds by $1. */
export function ownIndexPage(condition: string, clauses: DayClauses): string {
  return `
      select matching.number
        from (select min(first_number) as first_number, max(last_number) as last_number from ranges) bounds
       cross join lateral (
         select signals.number
           from signals
          where ${condition}
            and signals.number > greatest($2::bigint, bounds.first_number - 1)
            and signals.number <= bounds.last_number
            ${clauses.ofSignal}
          order by signals.number
          limit ${rowsMax}
       ) matching`
}

/** A range of days in UTC; both ends are included. */
export type FeedDays = { from: string; to: string }

export type DayClauses = {
  variant: string
  ofSignal: string
  ofDay: string
  ofMonth: string
  days: unknown[]
  months: unknown[]
}

export function dayClauses(days: FeedDays | null, valuesBefore: number): DayClauses {
  if (days === null) return { variant: '', ofSignal: '', ofDay: '', ofMonth: '', days: [], months: [] }
  const value = (nth: number) => `$${valuesBefore + nth}::date`
  const [from, to, firstMonth, endOfMonths] = [value(1), value(2), value(3), value(4)]
  const whole = wholeMonths(days)
  return {
    variant: '_days',
    ofSignal: `and signals.occurred_at >= ${from}::timestamp at time zone 'UTC'
            and signals.occurred_at < (${to} + 1)::timestamp at time zone 'UTC'`,
    ofDay: `and (counted.day >= ${from} and counted.day < ${firstMonth}
                 or counted.day >= ${endOfMonths} and counted.day <= ${to})`,
    ofMonth: `and counted.month >= ${firstMonth} and counted.month < ${endOfMonths}`,
    days: [days.from, days.to],
    months: [whole.from, whole.to],
  }
}

/** Returns the whole months of a range; `to` is excluded. Without any, both are the day after the range. */
export function wholeMonths({ from, to }: FeedDays): FeedDays {
  const end = new Date(`${to}T00:00:00Z`)
  end.setUTCDate(end.getUTCDate() + 1)
  const dayAfter = dateOf(end)
  const first = new Date(`${from}T00:00:00Z`)
  if (first.getUTCDate() > 1) first.setUTCMonth(first.getUTCMonth() + 1, 1)
  end.setUTCDate(1)
  return first < end ? { from: dateOf(first), to: dateOf(end) } : { from: dayAfter, to: dayAfter }
}

const dateOf = (moment: Date) => moment.toISOString().slice(0, 10)
