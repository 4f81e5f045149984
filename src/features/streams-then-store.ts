import { sql } from 'kysely'
import type { Database, World } from '../database/open.ts'
import { lastTakenThen, wasNotDiscarded } from './known-facts-store.ts'
import type { StreamKind } from './source-facts.ts'

/** A stream as it was known when an event was committed. */
export type StreamThen = {
  stream: string
  market: string
  kind: StreamKind
  cadence_hours: number | null
  tracked_from: Date
  last_taken_at: Date
  snapshot_ref: string
}

/** Snapshots of the row `source` that were in use, by the events that applied them: in the order of numbers. */
const snapshotsThen = (event: string) => `
  (select applied.number as applied_by, snapshot.taken_at, snapshot.snapshot_ref
     from dataset_events applied
     join register_snapshots snapshot on snapshot.id = applied.snapshot_id
    where applied.kind = 'snapshot' and applied.detail #>> '{stream,key}' = source.stream
      and applied.number <= ${event} and ${wasNotDiscarded(event)}) snapshot`

const streamsText = `
    select source.stream, source.market, source.cadence_hours,
           case when cardinality(source.covers) > 1 then 'register_and_blocklist' else source.covers[1] end
             as kind,
           first.taken_at as tracked_from, coalesce(last.taken_at, first.taken_at) as last_taken_at,
           (select snapshot_ref from ${snapshotsThen('$1::bigint')}
             where taken_at <= last.taken_at order by applied_by desc limit 1) as snapshot_ref
      from register_streams source
     cross join lateral (
       select taken_at from ${snapshotsThen('$1::bigint')} order by applied_by limit 1
     ) first
     cross join lateral (select ${lastTakenThen('source.stream', '$1::bigint')} as taken_at offset 0) last
     order by source.market collate "C", source.stream collate "C"`

const readStreams = ({ primary }: World, then: number): Promise<StreamThen[]> =>
  primary.read({ name: 'streams_then', text: streamsText, values: [then] })

const momentsCachedMax = 1_000
const cached = new WeakMap<World, Map<string, Promise<StreamThen[]>>>()

/** Returns the streams with a snapshot when an event was committed. They never change, so they are cached. */
export function streamsThen(
  world: World,
  { event, committed_at }: { event: number; committed_at: Date },
): Promise<StreamThen[]> {
  const key = `${event} ${committed_at.toISOString()}`
  const moments = cached.get(world) ?? new Map<string, Promise<StreamThen[]>>()
  cached.set(world, moments)
  const found = moments.get(key)
  if (found !== undefined) return found
  if (moments.size >= momentsCachedMax) moments.delete(moments.keys().next().value as string)
  const reading = readStreams(world, event)
  moments.set(key, reading)
  reading.catch(() => moments.delete(key))
  return reading
}

/** Returns the columns of streams that `streamsGiven` reads. */
export const streamColumns = (streams: readonly StreamThen[]) => [
  streams.map(({ stream }) => stream),
  streams.map(({ last_taken_at }) => last_taken_at),
  streams.map(({ snapshot_ref }) => snapshot_ref),
]

/** Returns when the first event was committed, or null. */
export async function readEarliestKnown(database: Database): Promise<Date | null> {
  const { rows } = await sql<{ earliest: Date | null }>`
    select min(committed_at) as earliest from dataset_events`.execute(database)
  return rows[0]?.earliest ?? null
}
