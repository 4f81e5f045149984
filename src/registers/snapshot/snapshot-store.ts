import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { Stream } from '../stream.ts'
import type { SnapshotVersion } from './check-order.ts'
import type { Figures } from './figures.ts'
import type { RawFile } from './find-cut.ts'
import { supersedeQuarantined } from './quarantine-store.ts'

/** The last snapshot that was applied. */
export type AppliedSnapshot = SnapshotVersion & {
  id: number
  snapshotRef: string
  number: number
  appliedAt: Date
  rows: number
  /** The most rows that an applied snapshot of the stream ever had. */
  rowsMost: number
  rejected: number
  rejectedByReason: Record<string, number>
  files: RawFile[]
  /** null: applied before rows were kept. */
  rowsSha256: Buffer | null
  figures: Figures | null
}

export async function readLastSnapshot(
  tx: Transaction,
  stream: string,
): Promise<AppliedSnapshot | undefined> {
  const { rows } = await sql<AppliedSnapshot>`
    select snapshot.id,
           snapshot.snapshot_ref as "snapshotRef",
           snapshot.number,
           snapshot.applied_at as "appliedAt",
           stream.last_taken_at as "takenAt",
           snapshot.content_sha256 as "contentSha256",
           snapshot.parser_version as "parserVersion",
           snapshot.rows,
           (select max(rows) from register_snapshots where stream = ${stream} and status = 'applied') as "rowsMost",
           snapshot.rejected,
           snapshot.rejected_by_reason as "rejectedByReason",
           snapshot.files,
           snapshot.rows_sha256 as "rowsSha256",
           nullif(snapshot.figures, '{}') as figures
      from register_streams stream
      join register_snapshots snapshot on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number
     where stream.stream = ${stream}`.execute(tx)
  return rows[0]
}

export type SnapshotToStore = {
  /** The snapshot that was held and is now approved; null: a new one. */
  approvedRef: string | null
  stream: Stream
  parserVersion: number
  takenAt: Date
  now: Date
  isCorrection: boolean
  contentSha256: Buffer
  files: readonly RawFile[]
  rowsSha256: Buffer | null
  figures: Figures
  rows: number
  rejected: number
  rejectedByReason: Record<string, number>
  added: number
  removed: number
  changed: number
}

export type NumberedSnapshot = { id: number; ref: string; number: number }

/** Writes the snapshot as the stream's next; what still waits and is no newer has been overtaken. */
export async function writeSnapshot(tx: Transaction, written: SnapshotToStore): Promise<NumberedSnapshot> {
  const { stream, takenAt, now } = written
  const number = await nextNumber(tx, written)
  const ref = written.approvedRef ?? newRef('snap')
  const { rows } = await sql<{ id: number }>`
    insert into register_snapshots (snapshot_ref, stream, number, status, is_correction, taken_at, received_at, applied_at,
                                    content_sha256, parser_version, files, rows_sha256, figures, rows, rejected,
                                    rejected_by_reason, added, removed, changed)
    values (${ref}, ${stream.key}, ${number}, 'applied', ${written.isCorrection}, ${takenAt}, ${now}, ${now},
            ${written.contentSha256}, ${written.parserVersion}, ${JSON.stringify(written.files)}, ${written.rowsSha256},
            ${JSON.stringify(written.figures)}, ${written.rows}, ${written.rejected},
            ${JSON.stringify(written.rejectedByReason)}, ${written.added}, ${written.removed}, ${written.changed})
    on conflict (snapshot_ref) do update
       set number = excluded.number,
           status = 'applied',
           applied_at = excluded.applied_at,
           added = excluded.added,
           removed = excluded.removed,
           changed = excluded.changed
    returning id`.execute(tx)
  // After an approved one is written, which then waits no more.
  await supersedeQuarantined(tx, stream.key, takenAt)
  return { id: rows[0]?.id as number, ref, number }
}

async function nextNumber(tx: Transaction, written: SnapshotToStore): Promise<number> {
  const { stream, takenAt } = written
  const { rows } = await sql<{ snapshot_number: number }>`
    insert into register_streams (stream, market, covers, parser_version, snapshot_number, last_taken_at,
                                  last_confirmed_at)
    values (${stream.key}, ${stream.market}, ${[...stream.covers]}, ${written.parserVersion}, 1, ${takenAt}, ${takenAt})
    on conflict (stream) do update
       set market = excluded.market,
           covers = excluded.covers,
           parser_version = excluded.parser_version,
           snapshot_number = register_streams.snapshot_number + 1,
           last_taken_at = excluded.last_taken_at,
           last_confirmed_at = excluded.last_confirmed_at,
           held_snapshot_id = null
    returning snapshot_number`.execute(tx)
  return rows[0]?.snapshot_number as number
}

/** Told once the Signals are numbered, which is what a transaction does last. */
export async function writeSignalCount(tx: Transaction, snapshotId: number, signals: number): Promise<void> {
  await sql`update register_snapshots set signals = ${signals} where id = ${snapshotId}`.execute(tx)
}

export type ReparsableSnapshot = {
  snapshot_ref: string
  stream: string
  parser_version: number
  rows: number
  files: RawFile[]
  rows_sha256: Buffer
}

/** The applied snapshots whose files and rows are kept, as they were published; the oldest first. */
export async function readReparsableSnapshots(database: Database): Promise<ReparsableSnapshot[]> {
  const { rows } = await sql<ReparsableSnapshot>`
    select snapshot_ref, stream, parser_version, rows, files, rows_sha256
      from register_snapshots
     where status = 'applied' and not is_correction and rows_sha256 is not null
     order by id`.execute(database)
  return rows
}
