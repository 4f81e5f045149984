import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

export type StreamRow = {
  stream: string
  market: string
  covers: string[]
  official_url: string | null
  is_watched: boolean
  cadence_hours: number | null
  rows: number
  last_confirmed_at: Date | null
  last_changed_at: Date | null
  is_quarantined: boolean
  hold_reasons: string[] | null
}

/** Streams that were ever read, with the rows of the snapshot in use. */
export async function readStreams(database: Database): Promise<StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    select source.stream, source.market, source.covers, source.official_url,
           source.watch_url is not null as is_watched, source.cadence_hours,
           coalesce(snapshot.rows, 0) as rows, source.last_confirmed_at,
           snapshot.applied_at as last_changed_at,
           source.held_snapshot_id is not null as is_quarantined, quarantined.hold_reasons
      from register_streams source
      left join register_snapshots snapshot
        on snapshot.stream = source.stream and snapshot.number = source.snapshot_number
      left join register_snapshots quarantined on quarantined.id = source.held_snapshot_id
     order by source.market collate "C", source.stream collate "C"`.execute(database)
  return rows
}

export type MarketDay = { day: string; market: string; state: string; rows: number }

/** The state of that day; a later run of the day replaces it. */
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

export async function readMarketDays(database: Database, from: string): Promise<MarketDay[]> {
  const { rows } = await sql<MarketDay>`
    select day::text, market, state, rows
      from coverage_days
     where day >= ${from}::date
     order by market collate "C", day`.execute(database)
  return rows
}
