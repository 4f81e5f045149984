import { sql } from 'kysely'
import { newRef } from '../core/ref.ts'
import type { Database, Transaction } from '../database/open.ts'
import type { RawFile } from './cut-file.ts'
import type { Figures } from './figures.ts'
import { overtakeHeld } from './held-store.ts'
import type { LastSnapshot } from './judge-snapshot.ts'
import type { Stream } from './stream.ts'

/** A sync of 1,000,000 new domains was measured at three minutes on two busy cores, its longest statement at 24 s. */
const statementTimeoutMs = 10 * 60_000
/** A parser may read a large file to its end before its first row. */
const idleTransactionTimeoutMs = 5 * 60_000
/** Comparing sorts and hashes whole registers; the default of 4 MB would do it on disk. */
const workMemory = '64MB'

/**
 * A sync is one long transaction: the limits that keep a request short are too short for it.
 */
export async function prepareTransaction(tx: Transaction, waitMsMax: number): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${`${statementTimeoutMs}ms`}, true),
           set_config('lock_timeout', ${`${waitMsMax}ms`}, true),
           set_config('idle_in_transaction_session_timeout', ${`${idleTransactionTimeoutMs}ms`}, true),
           set_config('work_mem', ${workMemory}, true)`.execute(tx)
}

/** One sync of a stream at a time: the next waits here, and then compares with what this one has written. */
export async function lockStream(tx: Transaction, stream: string): Promise<void> {
  await lockByName(tx, `register stream ${stream}`)
}

/** A schema has locks of its own: the demo world does not wait for the customers'. */
async function lockByName(tx: Transaction, name: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('baize ' || current_schema() || ' ' || ${name}, 0))`.execute(
    tx,
  )
}

/** The last snapshot that was applied, and what waits for an approval. */
export type HeldSnapshot = LastSnapshot & {
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

export async function readLastSnapshot(tx: Transaction, stream: string): Promise<HeldSnapshot | undefined> {
  const { rows } = await sql<HeldSnapshot>`
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

export type WrittenSnapshot = {
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
export async function writeSnapshot(tx: Transaction, written: WrittenSnapshot): Promise<NumberedSnapshot> {
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
  await overtakeHeld(tx, stream.key, takenAt)
  return { id: rows[0]?.id as number, ref, number }
}

async function nextNumber(tx: Transaction, written: WrittenSnapshot): Promise<number> {
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

export type WaitingSnapshot = Omit<WrittenSnapshot, 'approvedRef' | 'stream' | 'now'> & {
  id: number
  snapshotRef: string
  stream: string
  status: 'applied' | 'held' | 'superseded'
  reasons: string[]
}

const waitingColumns = sql`
  snapshot.id, snapshot.snapshot_ref as "snapshotRef", snapshot.stream, snapshot.status, snapshot.hold_reasons as reasons,
  snapshot.taken_at as "takenAt", snapshot.is_correction as "isCorrection", snapshot.content_sha256 as "contentSha256",
  snapshot.parser_version as "parserVersion", snapshot.files, snapshot.rows_sha256 as "rowsSha256", snapshot.figures,
  snapshot.rows, snapshot.rejected, snapshot.rejected_by_reason as "rejectedByReason", snapshot.added, snapshot.removed,
  snapshot.changed`

/** The snapshot of the stream that waits for an approval. */
export async function readWaiting(tx: Transaction, stream: string): Promise<WaitingSnapshot | undefined> {
  const { rows } = await sql<WaitingSnapshot>`
    select ${waitingColumns}
      from register_streams stream
      join register_snapshots snapshot on snapshot.id = stream.held_snapshot_id
     where stream.stream = ${stream}`.execute(tx)
  return rows[0]
}

/**
 * The snapshot that waits and is of these files, read by this parser: the stream's, or, where the files are older than that,
 * one that waits behind it.
 */
export async function findWaiting(
  tx: Transaction,
  stream: string,
  { contentSha256, parserVersion, takenAt }: LastSnapshot,
): Promise<WaitingSnapshot | undefined> {
  const { rows } = await sql<WaitingSnapshot>`
    select ${waitingColumns}
      from register_streams stream
      join register_snapshots newest on newest.id = stream.held_snapshot_id
      join register_snapshots snapshot on snapshot.stream = stream.stream and snapshot.status = 'held'
     where stream.stream = ${stream}
       and snapshot.content_sha256 = ${contentSha256}
       and snapshot.parser_version = ${parserVersion}
       and (snapshot.id = newest.id or newest.taken_at > ${takenAt})
     order by snapshot.id desc
     limit 1`.execute(tx)
  return rows[0]
}

export async function findSnapshot(database: Database, ref: string): Promise<WaitingSnapshot | undefined> {
  const { rows } = await sql<WaitingSnapshot>`
    select ${waitingColumns} from register_snapshots snapshot where snapshot.snapshot_ref = ${ref}`.execute(
    database,
  )
  return rows[0]
}

export async function readSnapshotById(database: Database, id: number): Promise<WaitingSnapshot> {
  const { rows } = await sql<WaitingSnapshot>`
    select ${waitingColumns} from register_snapshots snapshot where snapshot.id = ${id}`.execute(database)
  const [snapshot] = rows
  if (snapshot === undefined) throw new Error(`there is no snapshot of the id ${id}`)
  return snapshot
}

export async function writeApproval(
  tx: Transaction,
  snapshotId: number,
  why: string,
  now: Date,
): Promise<void> {
  await sql`
    update register_snapshots set approved_at = ${now}, approved_because = ${why} where id = ${snapshotId}`.execute(
    tx,
  )
}

/** What a stream says of itself, for feeds, which know streams from the database alone: brought up to date at each run. */
export async function writeStreamFacts(tx: Transaction, stream: Stream): Promise<void> {
  await sql`
    update register_streams
       set regulator = ${stream.regulator},
           regulator_country_code = ${stream.regulatorCountryCode},
           official_url = ${stream.officialUrl},
           source_claim = ${stream.sourceClaim},
           qualification = ${stream.qualification},
           source_identity = ${stream.sourceIdentity},
           cadence_hours = ${stream.cadence.hours}
     where stream = ${stream.key}`.execute(tx)
}

/** The source said again what the open rows say: they take their last confirmation from here. */
export async function confirmStream(tx: Transaction, stream: string, takenAt: Date): Promise<void> {
  await overtakeHeld(tx, stream, takenAt)
  await sql`
    update register_streams
       set last_taken_at = ${takenAt},
           last_confirmed_at = ${takenAt}
     where stream = ${stream}`.execute(tx)
}

export type Run = {
  stream: string
  startedAt: Date
  finishedAt: Date
  status: 'applied' | 'unchanged' | 'held' | 'refused'
  snapshotId: number | null
  reasons: readonly string[]
}

export async function writeRun(database: Database, run: Run): Promise<void> {
  await sql`
    with run as (
      insert into register_runs (stream, started_at, finished_at, status, snapshot_id, reasons)
      values (${run.stream}, ${run.startedAt}, ${run.finishedAt}, ${run.status}, ${run.snapshotId}, ${[...run.reasons]})
    )
    update register_streams
       set last_run_at = ${run.startedAt}
     where stream = ${run.stream}`.execute(database)
}
