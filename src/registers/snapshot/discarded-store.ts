import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** A snapshot, with the one that its stream uses. */
export type DiscardableSnapshot = {
  id: number
  ref: string
  stream: string
  market: string
  covers: string[]
  status: 'applied' | 'held' | 'superseded' | 'discarded'
  /** Null when the snapshot was never applied. */
  appliedAt: Date | null
  discardedBecause: string | null
  currentRef: string | null
}

export async function findDiscardable(
  tx: Transaction,
  ref: string,
): Promise<DiscardableSnapshot | undefined> {
  const { rows } = await sql<DiscardableSnapshot>`
    select snapshot.id, snapshot.snapshot_ref as ref, snapshot.stream, stream.market, stream.covers,
           snapshot.status, snapshot.applied_at as "appliedAt",
           snapshot.discarded_because as "discardedBecause", current.snapshot_ref as "currentRef"
      from register_snapshots snapshot
      join register_streams stream on stream.stream = snapshot.stream
      left join register_snapshots current
        on current.stream = stream.stream and current.number = stream.snapshot_number
     where snapshot.snapshot_ref = ${ref}`.execute(tx)
  return rows[0]
}

export async function readCurrentRef(tx: Transaction, stream: string): Promise<string> {
  const { rows } = await sql<{ snapshot_ref: string }>`
    select snapshot.snapshot_ref
      from register_streams stream
      join register_snapshots snapshot
        on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number
     where stream.stream = ${stream}`.execute(tx)
  if (rows[0] === undefined) throw new Error(`the stream ${stream} has no snapshot to discard`)
  return rows[0].snapshot_ref
}

/**
 * Returns when the recorded history last read the stream before the snapshot: an earlier snapshot, its
 * confirmation, or a return to it. Returns null without one.
 */
export async function readTakenBefore(
  tx: Transaction,
  { id, stream }: Pick<DiscardableSnapshot, 'id' | 'stream'>,
): Promise<Date | null> {
  const { rows } = await sql<{ taken_at: Date | null }>`
    select coalesce(snapshot.taken_at, (event.detail ->> 'taken_at')::timestamptz) as taken_at
      from dataset_events event
      left join register_snapshots snapshot on event.kind = 'snapshot' and snapshot.id = event.snapshot_id
     where event.number < (
             select number from dataset_events where kind = 'snapshot' and snapshot_id = ${id}
           )
       and (snapshot.stream = ${stream}
            or event.kind in ('confirmation', 'discard') and event.detail ->> 'stream' = ${stream})
     order by event.number desc
     limit 1`.execute(tx)
  return rows[0]?.taken_at ?? null
}

export type Discard = { id: number; stream: string; takenBefore: Date | null; reason: string; now: Date }

export type PreviousSnapshot = { ref: string | null; takenAt: Date | null }

/** Returns the newest applied snapshot before the discarded one, which the stream now uses, or nulls. */
export async function writeDiscard(
  tx: Transaction,
  { id, stream, takenBefore, reason, now }: Discard,
): Promise<PreviousSnapshot> {
  await sql`
    update register_snapshots
       set status = 'discarded', discarded_at = ${now}, discarded_because = ${reason}
     where id = ${id}`.execute(tx)
  const { rows } = await sql<PreviousSnapshot>`
    update register_streams stream
       set snapshot_number = coalesce(previous.number, 0),
           parser_version = previous.parser_version,
           last_taken_at = coalesce(${takenBefore}, previous.taken_at),
           last_confirmed_at = coalesce(${takenBefore}, previous.taken_at)
      from (select) one
      left join (
        select snapshot_ref, number, parser_version, taken_at
          from register_snapshots
         where stream = ${stream} and status = 'applied'
         order by number desc
         limit 1
      ) previous on true
     where stream.stream = ${stream}
    returning previous.snapshot_ref as ref, stream.last_taken_at as "takenAt"`.execute(tx)
  return rows[0] as PreviousSnapshot
}

type SameFiles = { stream: string; contentSha256: Buffer; parserVersion: number }

/** Returns why a quarantined snapshot of the same files was discarded, or null. */
export async function findDiscardedReason(tx: Transaction, same: SameFiles): Promise<string | null> {
  const { rows } = await sql<{ discarded_because: string }>`
    select discarded_because
      from register_snapshots
     where stream = ${same.stream}
       and content_sha256 = ${same.contentSha256}
       and parser_version = ${same.parserVersion}
       and status = 'discarded'
       and applied_at is null
     order by id desc
     limit 1`.execute(tx)
  return rows[0]?.discarded_because ?? null
}
