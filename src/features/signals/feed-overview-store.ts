import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { readSource, type SourceRow } from './sources-store.ts'
import { describeSources } from './truth-state.ts'

/** What can be said of the feeds without delivering a Signal. */
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
      ...(describeSources([readSource(row)], null, now)[0] as ReturnType<typeof describeSources>[number]),
    })),
    platforms,
  }
}

async function readFeeds(database: Database) {
  const { rows } = await sql<{ feed: string; signals: number; last_detected_at: Date | null }>`
    select wanted.feed, coalesce(total.signals, 0)::bigint as signals, last.detected_at as last_detected_at
      from unnest(${[...feedsInOrder]}::text[]) with ordinality as wanted (feed, position)
      left join (
        select feed, sum(signals) as signals, max(last_number) as last_number
          from signal_totals
         group by feed
      ) total on total.feed = wanted.feed
      left join signals last on last.number = total.last_number
     order by wanted.position`.execute(database)
  return rows.map(row => ({ ...row, last_detected_at: row.last_detected_at?.toISOString() ?? null }))
}

const feedsInOrder = ['register_changes', 'market_entries', 'platform_sites'] as const

async function readStreams(database: Database): Promise<(SourceRow & { market: string })[]> {
  const { rows } = await sql<SourceRow & { market: string }>`
    select source.stream, source.market, source.held_snapshot_id is not null as is_held,
           quarantined.hold_reasons, source.last_confirmed_at::text, source.cadence_hours
      from register_streams source
      left join register_snapshots quarantined on quarantined.id = source.held_snapshot_id
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
