import { sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { Reads, World } from '../../database/open.ts'
import { type SourceTruth, type StreamKind, truthStateOf } from '../source-facts.ts'
import type { VerdictCoverage } from './domain-store.ts'

type CheckedRow = SourceTruth & {
  stream: string
  market: string
  kind: StreamKind
  snapshot_ref: string | null
  last_taken_at: Date
}

/** Returns the streams that `checked` counts. */
async function readCheckedStreams(world: World, now: Date) {
  const { rows } = await sql<CheckedRow>`
    select source.stream, source.market, snapshot.snapshot_ref, source.last_taken_at,
           source.last_confirmed_at,
           case when cardinality(source.covers) > 1 then 'register_and_blocklist' else source.covers[1] end
             as kind,
           source.quarantined_snapshot_id is not null as is_quarantined, source.cadence_hours
      from register_streams source
      left join register_snapshots snapshot
        on snapshot.stream = source.stream and snapshot.number = source.snapshot_number
     where source.last_taken_at is not null
     order by source.market collate "C", source.stream collate "C"`.execute(world.database)
  return rows.map(row => ({
    stream: row.stream,
    market: row.market,
    kind: row.kind,
    snapshot_ref: row.snapshot_ref,
    last_snapshot_at: row.last_taken_at.toISOString(),
    truth_state: truthStateOf(row, now),
  }))
}

export type CheckedStream = Awaited<ReturnType<typeof readCheckedStreams>>[number]

const readingsMax = 5

/**
 * Reads verdicts with the streams behind them. Streams are read before and after the verdicts: if no
 * snapshot came between, all verdicts are of these snapshots; else both are read again. All are read from
 * the primary, because a replica may be behind it when the primary answers in its place.
 */
export async function readWithStreams<Result>(
  world: World,
  now: Date,
  read: (reads: Reads) => Promise<Result>,
): Promise<{ result: Result; streams: CheckedStream[] }> {
  let before = await readCheckedStreams(world, now)
  for (let reading = 1; reading <= readingsMax; reading += 1) {
    const result = await read(world.primary)
    const after = await readCheckedStreams(world, now)
    if (JSON.stringify(before) === JSON.stringify(after)) return { result, streams: after }
    before = after
  }
  throw new Failure('service_unavailable')
}

export function coverageOf(streams: readonly CheckedStream[]): VerdictCoverage {
  const taken = streams.map(each => Date.parse(each.last_snapshot_at))
  return {
    registers: streams.filter(each => each.kind !== 'blocklist').length,
    blocklists: streams.filter(each => each.kind !== 'register').length,
    oldest_snapshot_at: taken.length === 0 ? null : new Date(Math.min(...taken)),
  }
}
