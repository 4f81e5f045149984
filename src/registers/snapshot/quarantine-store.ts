import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { SnapshotToStore } from './snapshot-store.ts'

/** A snapshot that waits for an approval, and why. */
export type QuarantinedSnapshot = {
  stream: string
  snapshot_ref: string
  taken_at: Date
  since: Date
  reasons: string[]
}

export async function readQuarantinedSnapshots(database: Database): Promise<QuarantinedSnapshot[]> {
  const { rows } = await sql<QuarantinedSnapshot>`
    select stream.stream, held.snapshot_ref, held.taken_at, held.received_at as since, held.hold_reasons as reasons
      from register_streams stream
      join register_snapshots held on held.id = stream.held_snapshot_id`.execute(database)
  return rows
}

/** Keeps a snapshot aside, and the stream's hold with it: one that waited and is no newer has been overtaken. */
export async function quarantineSnapshot(
  tx: Transaction,
  held: SnapshotToStore,
  reasons: readonly string[],
): Promise<{ id: number; ref: string }> {
  const { stream } = held
  const ref = newRef('snap')
  await sql`
    insert into register_streams (stream, market, covers) values (${stream.key}, ${stream.market}, ${[...stream.covers]})
    on conflict (stream) do nothing`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    with snapshot as (
      insert into register_snapshots (snapshot_ref, stream, status, is_correction, taken_at, received_at, content_sha256,
                                      parser_version, files, rows_sha256, figures, rows, rejected, rejected_by_reason,
                                      added, removed, changed, hold_reasons)
      values (${ref}, ${stream.key}, 'held', ${held.isCorrection}, ${held.takenAt}, ${held.now}, ${held.contentSha256},
              ${held.parserVersion}, ${JSON.stringify(held.files)}, ${held.rowsSha256}, ${JSON.stringify(held.figures)},
              ${held.rows}, ${held.rejected}, ${JSON.stringify(held.rejectedByReason)}, ${held.added}, ${held.removed},
              ${held.changed}, ${[...reasons]})
      returning id, stream
    )
    select id from snapshot`.execute(tx)
  const id = rows[0]?.id as number
  await supersedeQuarantined(tx, stream.key, held.takenAt, id)
  return { id, ref }
}

/**
 * What waits and was taken no later than what was said since has been overtaken; of two that are taken at one moment, the one
 * that came later stands. The newest that waits on is the stream's.
 */
export async function supersedeQuarantined(
  tx: Transaction,
  stream: string,
  takenAt: Date,
  besidesId: number | null = null,
): Promise<void> {
  await sql`
    update register_snapshots
       set status = 'superseded'
     where stream = ${stream}
       and status = 'held'
       and taken_at <= ${takenAt}
       and id is distinct from ${besidesId}`.execute(tx)
  await sql`
    update register_streams
       set held_snapshot_id = (
             select id
               from register_snapshots
              where stream = ${stream} and status = 'held'
              order by taken_at desc, id desc
              limit 1
           )
     where stream = ${stream}`.execute(tx)
}

/** Streams whose newest snapshot waits for an approval, for alerts. */
export async function readQuarantinedStreams(database: Database): Promise<{ stream: string; since: Date }[]> {
  const { rows } = await sql<{ stream: string; since: Date }>`
    select stream.stream, snapshot.received_at as since
      from register_streams stream
      join register_snapshots snapshot on snapshot.id = stream.held_snapshot_id
     order by stream.stream`.execute(database)
  return rows
}
