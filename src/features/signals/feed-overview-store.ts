import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { type FeedName, feedNames } from './draft.ts'
import { describeSources, readSource, type SourceRow } from './sources-store.ts'

/** Reads the state of the feeds without delivering a Signal. */
export async function readFeedOverview(database: Database, now: Date) {
  const [feeds, streams, platforms] = await Promise.all([
    readFeeds(database),
    readStreams(database),
    readPlatforms(database),
  ])
  return {
    feeds,
    streams: streams.map(row => ({
      market: row.market,
      is_fetched: row.is_fetched,
      ...(describeSources([readSource(row)], null, now)[0] as ReturnType<typeof describeSources>[number]),
    })),
    platforms,
  }
}

async function readFeeds(database: Database) {
  const { rows } = await sql<{ feed: FeedName; signals: number; last_detected_at: Date | null }>`
    select wanted.feed, coalesce(total.signals, 0)::bigint as signals, last.detected_at as last_detected_at
      from unnest(${[...feedNames]}::text[]) with ordinality as wanted (feed, position)
      left join (
        select feed, sum(signals) as signals, max(last_number) as last_number
          from signal_totals
         group by feed
      ) total on total.feed = wanted.feed
      left join signals last on last.number = total.last_number
     order by wanted.position`.execute(database)
  return rows.map(row => ({ ...row, last_detected_at: row.last_detected_at?.toISOString() ?? null }))
}

type StreamRow = SourceRow & { market: string; is_fetched: boolean }

async function readStreams(database: Database): Promise<StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    select source.stream, source.market, source.quarantined_snapshot_id is not null as is_quarantined,
           quarantined.hold_reasons, source.last_confirmed_at::text, source.cadence_hours,
           source.watch_url is not null as is_fetched
      from register_streams source
      left join register_snapshots quarantined on quarantined.id = source.quarantined_snapshot_id
     order by source.market collate "C", source.stream collate "C"`.execute(database)
  return rows
}

async function readPlatforms(database: Database): Promise<{ key: string; name: string }[]> {
  const { rows } = await sql<{ key: string; name: string }>`
    select platform_key as key, name
      from platforms
     where reviewed_at is not null
     order by lower(name), platform_key collate "C"`.execute(database)
  return rows
}
