import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import type { PublishedField, StreamKind } from '../source-facts.ts'

/** The number of records by kind, and of those with a value by `kind.field`. */
type StreamFigures = { records: Record<string, number>; filled: Record<string, number> }

/** A known stream. Members that come from reading it are null or empty if it was never read. */
export type StreamRow = {
  stream: string
  market: string
  kind: StreamKind
  layout: 'recorded' | 'described'
  layout_recorded_at: string | null
  compared_with: string | null
  official_url: string | null
  resolve: string | null
  cadence_words: string | null
  cadence_hours: number | null
  publishes: PublishedField[]
  is_watched: boolean
  /** Is true if a file was fetched since the watch began. */
  was_fetched: boolean
  /** The number of fetches without a usable result since the last usable one. */
  failures: number
  rows: number
  /** The figures of the snapshot in use; null if it was never read. */
  figures: StreamFigures | null
  records_in_force: { licenses: number; authorised_domains: number; blocklist_entries: number }
  last_confirmed_at: Date | null
  last_changed_at: Date | null
  is_quarantined: boolean
  hold_reasons: string[]
  last_probed_at: Date | null
  /** The problems of the last look at the official address, and of the last run. */
  problems: string[]
  layout_changes: string[]
}

/** Reads all streams. A stream that is no longer described has no facts; its data stays in use. */
export async function readStreams(database: Database): Promise<StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    select coalesce(facts.stream, source.stream) as stream,
           coalesce(facts.market, source.market) as market,
           coalesce(facts.kind, case when cardinality(source.covers) > 1 then 'register_and_blocklist'
                                     else source.covers[1] end) as kind,
           coalesce(facts.layout, 'described') as layout,
           facts.layout_recorded_at::text as layout_recorded_at,
           facts.sources ->> 'compared' as compared_with,
           coalesce(facts.official_url, source.official_url) as official_url,
           facts.resolve,
           facts.cadence_words,
           coalesce(facts.cadence_hours, source.cadence_hours) as cadence_hours,
           coalesce(facts.publishes, '{}') as publishes,
           source.watch_url is not null as is_watched,
           source.watch_found_url is not null as was_fetched,
           coalesce(source.watch_failures, 0) as failures,
           coalesce(snapshot.rows, 0) as rows,
           snapshot.figures,
           json_build_object(
             'licenses', coalesce((snapshot.figures #>> '{records,license}')::integer, 0),
             'authorised_domains',
               coalesce((snapshot.figures #>> '{filled,authorisation.counts}')::integer, 0),
             'blocklist_entries',
               coalesce((snapshot.figures #>> '{filled,blocklist_entry.listed}')::integer, 0)
           ) as records_in_force,
           source.last_confirmed_at,
           changed.taken_at as last_changed_at,
           source.quarantined_snapshot_id is not null as is_quarantined,
           coalesce(quarantined.hold_reasons, '{}') as hold_reasons,
           probe.probed_at as last_probed_at,
           coalesce(probe.reasons, '{}') || coalesce(refused.reasons, '{}') as problems,
           coalesce(probe.changes, '{}') as layout_changes
      from register_facts facts
      full join register_streams source on source.stream = facts.stream
      left join register_snapshots snapshot
        on snapshot.stream = source.stream and snapshot.number = source.snapshot_number
      left join register_snapshots quarantined on quarantined.id = source.quarantined_snapshot_id
      left join register_probes probe on probe.stream = facts.stream
      left join lateral (
        select taken_at
          from register_snapshots
         where stream = source.stream
           and status = 'applied'
           and not is_correction
           and added + removed + changed > 0
         order by number desc
         limit 1
      ) changed on true
      left join lateral (
        select case when status = 'refused' then reasons end as reasons
          from register_runs
         where stream = source.stream
         order by id desc
         limit 1
      ) refused on true
     order by coalesce(facts.stream, source.stream) collate "C"`.execute(database)
  return rows
}

export type MarketDay = { day: string; market: string; state: string; rows: number }

/** Records the state of markets on a day. A later run of the same day replaces it. */
export async function writeMarketDays(
  database: Database,
  day: string,
  markets: readonly Omit<MarketDay, 'day'>[],
): Promise<void> {
  await sql`
    insert into coverage_days (day, market, state, rows)
    select ${day}::date, market, state, rows
      from unnest(
             ${markets.map(each => each.market)}::text[],
             ${markets.map(each => each.state)}::text[],
             ${markets.map(each => each.rows)}::bigint[]
           ) as today (market, state, rows)
    on conflict (day, market) do update set state = excluded.state, rows = excluded.rows`.execute(database)
}

export type MarketPeriod = { market: string; state: string; from: string; to: string }

/** Returns runs of consecutive recorded days with one state, the latest first. */
export async function readPeriods(database: Database, days: { from: string; to: string }) {
  const { rows } = await sql<MarketPeriod>`
    with numbered as (
      select market, state, day,
             day - (row_number() over (partition by market, state order by day))::integer as run
        from coverage_days
       where day between ${days.from}::date and ${days.to}::date
    )
    select market, state, min(day)::text as "from", max(day)::text as "to"
      from numbered
     group by market, state, run
     order by max(day) desc, market collate "C"`.execute(database)
  return rows
}

export type MarketCounts = { day: string; licenses: number; blocked: number }

const monthsMax = 24

/** Reads how many licenses and blocked sites a market's sources had at the end of each month, oldest first. */
export async function readMarketCounts(database: Database, market: string): Promise<MarketCounts[]> {
  const { rows } = await sql<MarketCounts>`
    with applied as (
      select snapshot.stream, snapshot.taken_at, snapshot.figures
        from register_streams source
        join register_snapshots snapshot on snapshot.stream = source.stream and snapshot.status = 'applied'
       where source.market = ${market}
    ),
    month_ends as (
      select max(taken_at) as at
        from applied
       group by date_trunc('month', taken_at)
       order by 1 desc
       limit ${monthsMax}
    )
    select to_char(month_ends.at at time zone 'UTC', 'YYYY-MM-DD') as day,
           coalesce(sum((latest.figures #>> '{records,license}')::int), 0)::int as licenses,
           coalesce(sum((latest.figures #>> '{filled,blocklist_entry.listed}')::int), 0)::int as blocked
      from month_ends
     cross join lateral (
       select distinct on (stream) figures
         from applied
        where taken_at <= month_ends.at
        order by stream, taken_at desc
     ) latest
     group by month_ends.at
     order by month_ends.at`.execute(database)
  return rows
}
