/**
 * Snapshots that failed the guard and await review have the status `held`. One of them is current for its
 * stream.
 */
import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { SnapshotToStore } from './snapshot.ts'

export type QuarantinedSnapshot = {
  stream: string
  snapshot_ref: string
  taken_at: Date
  since: Date
  reasons: string[]
}

export async function readQuarantinedSnapshots(database: Database): Promise<QuarantinedSnapshot[]> {
  const { rows } = await sql<QuarantinedSnapshot>`
    select stream.stream, snapshot.snapshot_ref, snapshot.taken_at, snapshot.received_at as since,
           snapshot.hold_reasons as reasons
      from register_streams stream
      join register_snapshots snapshot on snapshot.id = stream.quarantined_snapshot_id`.execute(database)
  return rows
}

/**
 * `difference` has examples of what it would change, and `differenceSha256` names the file with all of it.
 */
type Findings = { reasons: readonly string[]; difference: readonly unknown[]; differenceSha256: Buffer }

/** Quarantines a snapshot. Of two taken at the same moment, the later stored one remains. */
export async function quarantineSnapshot(
  tx: Transaction,
  snapshot: SnapshotToStore,
  { reasons, difference, differenceSha256 }: Findings,
): Promise<{ id: number; ref: string }> {
  const { stream } = snapshot
  const ref = newRef('snap')
  await sql`
    insert into register_streams (stream, market, covers)
    values (${stream.key}, ${stream.market}, ${[...stream.covers]})
    on conflict (stream) do nothing`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    insert into register_snapshots (snapshot_ref, stream, status, is_correction, is_backfill,
                                    taken_at, received_at,
                                    content_sha256, parser_version, files, form, rows_sha256, figures, rows,
                                    rejected, rejected_by_reason, rejects, undecided, added, removed,
                                    changed, hold_reasons, difference, difference_sha256)
    values (${ref}, ${stream.key}, 'held', ${snapshot.isCorrection}, ${snapshot.isBackfill},
            ${snapshot.takenAt}, ${snapshot.now},
            ${snapshot.contentSha256}, ${snapshot.parserVersion}, ${JSON.stringify(snapshot.files)},
            ${snapshot.form}, ${snapshot.rowsSha256}, ${JSON.stringify(snapshot.figures)}, ${snapshot.rows},
            ${snapshot.rejected},
            ${JSON.stringify(snapshot.rejectedByReason)}, ${JSON.stringify(snapshot.rejects)},
            ${snapshot.undecided}, ${snapshot.added}, ${snapshot.removed}, ${snapshot.changed},
            ${[...reasons]}, ${JSON.stringify(difference)}, ${differenceSha256})
    returning id`.execute(tx)
  const id = rows[0]?.id as number
  await supersedeQuarantined(tx, stream.key, snapshot.takenAt, id)
  return { id, ref }
}

/**
 * Updates the guard's findings of a quarantined snapshot. The stored difference stays if no new one is
 * given.
 */
export async function quarantineAgain(
  tx: Transaction,
  { id, snapshotRef }: { id: number; snapshotRef: string },
  counts: { added: number; removed: number; changed: number },
  { reasons, difference, differenceSha256 }: Pick<Findings, 'reasons'> & Partial<Findings>,
): Promise<{ id: number; ref: string }> {
  const examples = difference === undefined ? null : JSON.stringify(difference)
  await sql`
    update register_snapshots
       set hold_reasons = ${[...reasons]}, added = ${counts.added}, removed = ${counts.removed},
           changed = ${counts.changed},
           difference = coalesce(${examples}::jsonb, difference),
           difference_sha256 = coalesce(${differenceSha256 ?? null}::bytea, difference_sha256)
     where id = ${id}`.execute(tx)
  return { id, ref: snapshotRef }
}

/**
 * Supersedes quarantined snapshots taken at `takenAt` or before, except `exceptId`. The newest other one
 * becomes current.
 */
export async function supersedeQuarantined(
  tx: Transaction,
  stream: string,
  takenAt: Date,
  exceptId: number | null = null,
): Promise<void> {
  await sql`
    update register_snapshots
       set status = 'superseded'
     where stream = ${stream}
       and status = 'held'
       and taken_at <= ${takenAt}
       and id is distinct from ${exceptId}`.execute(tx)
  await nameNewestQuarantined(tx, stream)
}

async function nameNewestQuarantined(tx: Transaction, stream: string): Promise<void> {
  await sql`
    update register_streams
       set quarantined_snapshot_id = (
             select id
               from register_snapshots
              where stream = ${stream} and status = 'held'
              order by taken_at desc, id desc
              limit 1
           )
     where stream = ${stream}`.execute(tx)
}

/** Ends a quarantine. Returns the snapshot of the stream and the time of its last read, which both stay. */
export async function endQuarantine(
  tx: Transaction,
  { id, stream, reason, now }: { id: number; stream: string; reason: string; now: Date },
): Promise<{ ref: string | null; takenAt: Date | null }> {
  await sql`
    update register_snapshots
       set status = 'discarded', discarded_at = ${now}, discarded_because = ${reason}
     where id = ${id}`.execute(tx)
  await nameNewestQuarantined(tx, stream)
  const { rows } = await sql<{ ref: string | null; takenAt: Date | null }>`
    select snapshot.snapshot_ref as ref, stream.last_taken_at as "takenAt"
      from register_streams stream
      left join register_snapshots snapshot
        on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number
     where stream.stream = ${stream}`.execute(tx)
  return rows[0] as { ref: string | null; takenAt: Date | null }
}

export async function writeApproval(
  tx: Transaction,
  snapshotId: number,
  reason: string,
  now: Date,
): Promise<void> {
  await sql`
    update register_snapshots
       set approved_at = ${now},
           approved_because = ${reason}
     where id = ${snapshotId}`.execute(tx)
}
