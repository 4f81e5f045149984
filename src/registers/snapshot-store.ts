import { sql } from 'kysely'
import { newRef } from '../core/ref.ts'
import type { Database, Transaction } from '../database/open.ts'
import type { LastSnapshot } from './judge-snapshot.ts'
import type { Stream } from './stream.ts'

/** A sync of 1,000,000 new domains was measured at three minutes on two busy cores, its longest statement at 24 s. */
const statementTimeoutMs = 10 * 60_000
/** A parser may read a large file to its end before its first row. */
const idleTransactionTimeoutMs = 5 * 60_000
/** Comparing sorts and hashes whole registers; the default of 4 MB would do it on disk. */
const workMemory = '64MB'

/**
 * A sync is one long transaction: the limits that keep a request short are too short for it. Compiling its statements
 * is not worth it either: it took half a second for each 10,000 verdicts.
 */
export async function prepareTransaction(tx: Transaction, waitMsMax: number): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${`${statementTimeoutMs}ms`}, true),
           set_config('lock_timeout', ${`${waitMsMax}ms`}, true),
           set_config('idle_in_transaction_session_timeout', ${`${idleTransactionTimeoutMs}ms`}, true),
           set_config('work_mem', ${workMemory}, true),
           set_config('jit', 'off', true)`.execute(tx)
}

/** One sync of a stream at a time: the next waits here, and then compares with what this one has written. */
export async function lockStream(tx: Transaction, stream: string): Promise<void> {
  await lockByName(tx, `register stream ${stream}`)
}

/**
 * One sync writes at a time, whatever its stream: the counts and listings of search are shared by all of them, and two
 * that write more than a batch of verdicts meet there in two orders. Parsing and comparing go on beside each other.
 */
export async function lockApplying(tx: Transaction): Promise<void> {
  await lockByName(tx, 'register apply')
}

/** A schema has locks of its own: the demo world does not wait for the customers'. */
async function lockByName(tx: Transaction, name: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('baize ' || current_schema() || ' ' || ${name}, 0))`.execute(
    tx,
  )
}

export type HeldSnapshot = LastSnapshot & {
  id: number
  snapshotRef: string
  rows: number
  rejected: number
  rejectedByReason: Record<string, number>
}

export async function readLastSnapshot(tx: Transaction, stream: string): Promise<HeldSnapshot | undefined> {
  const { rows } = await sql<HeldSnapshot>`
    select snapshot.id,
           snapshot.snapshot_ref as "snapshotRef",
           stream.last_taken_at as "takenAt",
           snapshot.content_sha256 as "contentSha256",
           snapshot.parser_version as "parserVersion",
           snapshot.rows,
           snapshot.rejected,
           snapshot.rejected_by_reason as "rejectedByReason"
      from register_streams stream
      join register_snapshots snapshot on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number
     where stream.stream = ${stream}`.execute(tx)
  return rows[0]
}

export type AppliedSnapshot = {
  stream: Stream
  takenAt: Date
  now: Date
  contentSha256: Buffer
  rows: number
  rejected: number
  rejectedByReason: Record<string, number>
  added: number
  removed: number
  changed: number
}

export async function writeSnapshot(
  tx: Transaction,
  applied: AppliedSnapshot,
): Promise<{ id: number; ref: string }> {
  const { stream, takenAt, now } = applied
  const ref = newRef('snap')
  const { rows } = await sql<{ id: number }>`
    with numbered as (
      insert into register_streams (stream, market, covers, parser_version, snapshot_number, last_taken_at,
                                    last_confirmed_at)
      values (${stream.key}, ${stream.market}, ${[...stream.covers]}, ${stream.parserVersion}, 1, ${takenAt}, ${takenAt})
      on conflict (stream) do update
         set market = excluded.market,
             covers = excluded.covers,
             parser_version = excluded.parser_version,
             snapshot_number = register_streams.snapshot_number + 1,
             last_taken_at = excluded.last_taken_at,
             last_confirmed_at = excluded.last_confirmed_at
      returning snapshot_number
    )
    insert into register_snapshots (snapshot_ref, stream, number, taken_at, applied_at, content_sha256, parser_version,
                                    rows, rejected, rejected_by_reason, added, removed, changed)
    select ${ref}, ${stream.key}, snapshot_number, ${takenAt}, ${now}, ${applied.contentSha256}, ${stream.parserVersion},
           ${applied.rows}, ${applied.rejected}, ${JSON.stringify(applied.rejectedByReason)}, ${applied.added},
           ${applied.removed}, ${applied.changed}
      from numbered
    returning id`.execute(tx)
  return { id: rows[0]?.id as number, ref }
}

/** The source said again what the open rows say: they take their last confirmation from here. */
export async function confirmStream(tx: Transaction, stream: string, takenAt: Date): Promise<void> {
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
  status: 'applied' | 'unchanged' | 'refused'
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
