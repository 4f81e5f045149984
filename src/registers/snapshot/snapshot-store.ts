import type { RawFile } from '@baize/registers/guard'
import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { supersedeQuarantined } from './quarantine-store.ts'
import type { AppliedSnapshot, SnapshotToStore } from './snapshot.ts'

export async function readLastSnapshot(
  tx: Transaction,
  stream: string,
): Promise<AppliedSnapshot | undefined> {
  const { rows } = await sql<AppliedSnapshot>`
    select snapshot.id,
           snapshot.snapshot_ref as "snapshotRef",
           snapshot.number,
           (select max(greatest(applied_at, discarded_at))
              from register_snapshots where stream = ${stream}) as "changedAt",
           stream.last_taken_at as "takenAt",
           snapshot.content_sha256 as "contentSha256",
           snapshot.parser_version as "parserVersion",
           snapshot.rows,
           snapshot.rejected,
           snapshot.rejected_by_reason as "rejectedByReason",
           snapshot.rejects,
           snapshot.undecided,
           snapshot.files,
           snapshot.form,
           snapshot.is_backfill as "isBackfill",
           snapshot.rows_sha256 as "rowsSha256",
           snapshot.figures
      from register_streams stream
      join register_snapshots snapshot
        on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number
     where stream.stream = ${stream}`.execute(tx)
  return rows[0]
}

export type NumberedSnapshot = { id: number; ref: string; number: number }

/** Writes the snapshot as the stream's next one, and supersedes quarantined ones that are no newer. */
export async function writeSnapshot(tx: Transaction, snapshot: SnapshotToStore): Promise<NumberedSnapshot> {
  const { stream, takenAt, now } = snapshot
  const number = await nextNumber(tx, snapshot)
  const ref = snapshot.approvedRef ?? newRef('snap')
  const { rows } = await sql<{ id: number }>`
    insert into register_snapshots (snapshot_ref, stream, number, status, is_correction, is_backfill,
                                    taken_at,
                                    received_at,
                                    applied_at, content_sha256, parser_version, files, form, rows_sha256,
                                    figures, rows,
                                    rejected, rejected_by_reason, rejects, undecided, added, removed,
                                    changed)
    values (${ref}, ${stream.key}, ${number}, 'applied', ${snapshot.isCorrection}, ${snapshot.isBackfill},
            ${takenAt}, ${now},
            ${now}, ${snapshot.contentSha256}, ${snapshot.parserVersion}, ${JSON.stringify(snapshot.files)},
            ${snapshot.form}, ${snapshot.rowsSha256}, ${JSON.stringify(snapshot.figures)}, ${snapshot.rows},
            ${snapshot.rejected}, ${JSON.stringify(snapshot.rejectedByReason)},
            ${JSON.stringify(snapshot.rejects)}, ${snapshot.undecided}, ${snapshot.added},
            ${snapshot.removed}, ${snapshot.changed})
    on conflict (snapshot_ref) do update
       set number = excluded.number,
           status = 'applied',
           applied_at = excluded.applied_at,
           figures = excluded.figures,
           added = excluded.added,
           removed = excluded.removed,
           changed = excluded.changed
    returning id`.execute(tx)
  // This follows the insert, because an approved snapshot must not supersede itself.
  await supersedeQuarantined(tx, stream.key, takenAt)
  return { id: rows[0]?.id as number, ref, number }
}

async function nextNumber(tx: Transaction, snapshot: SnapshotToStore): Promise<number> {
  const { stream, takenAt } = snapshot
  const { rows } = await sql<{ snapshot_number: number }>`
    insert into register_streams (stream, market, covers, parser_version, snapshot_number, last_taken_at,
                                  last_confirmed_at)
    values (${stream.key}, ${stream.market}, ${[...stream.covers]}, ${snapshot.parserVersion}, 1, ${takenAt},
            ${takenAt})
    on conflict (stream) do update
       set market = excluded.market,
           covers = excluded.covers,
           parser_version = excluded.parser_version,
           snapshot_number = 1 + (
             select coalesce(max(number), 0) from register_snapshots where stream = excluded.stream
           ),
           last_taken_at = excluded.last_taken_at,
           last_confirmed_at = excluded.last_confirmed_at,
           quarantined_snapshot_id = null
    returning snapshot_number`.execute(tx)
  return rows[0]?.snapshot_number as number
}

/** Writes the count in a separate statement, because Signals are numbered last in a transaction. */
export async function writeSignalCount(tx: Transaction, snapshotId: number, signals: number): Promise<void> {
  await sql`update register_snapshots set signals = ${signals} where id = ${snapshotId}`.execute(tx)
}

type ReparsableSnapshot = {
  snapshot_ref: string
  stream: string
  parser_version: number
  rows: number
  files: RawFile[]
  rows_sha256: Buffer
}

/** Returns the snapshots, the oldest first. */
export async function readReparsableSnapshots(database: Database): Promise<ReparsableSnapshot[]> {
  const { rows } = await sql<ReparsableSnapshot>`
    select snapshot_ref, stream, parser_version, rows, files, rows_sha256
      from register_snapshots
     where status = 'applied' and not is_correction
     order by id`.execute(database)
  return rows
}
