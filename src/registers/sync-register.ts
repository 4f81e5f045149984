import { errorCode, isLockTimeout, isTransient } from '../database/errors.ts'
import type { World } from '../database/open.ts'
import { contentDigest } from './content-digest.ts'
import { judgeSnapshot } from './judge-snapshot.ts'
import {
  confirmStream,
  lockStream,
  prepareTransaction,
  readLastSnapshot,
  writeRun,
} from './snapshot-store.ts'
import { Refusal, type SourceFile, type Stream } from './stream.ts'
import { type SyncOutcome, type SyncReport, syncReport } from './sync-report.ts'
import { type SyncProgress, takeSnapshot } from './take-snapshot.ts'
import { Tally } from './tally.ts'

export type SyncOptions = {
  /** The moment of which the files speak: when they were fetched or published. */
  takenAt: Date
  now: Date
  onProgress?: (progress: SyncProgress) => void
  /** How long to wait for another sync to finish. */
  waitMsMax?: number
}

/** Longer than the longest sync measured (1,000,000 new domains on two busy cores, 180 s). */
const waitMsMaxDefault = 240_000

/**
 * Reads one snapshot of a register and makes the held facts say what it says, in one transaction: all of it, or, when
 * it is refused or anything fails, nothing but the record of the run.
 */
export async function syncRegister(
  world: World,
  stream: Stream,
  files: readonly SourceFile[],
  options: SyncOptions,
): Promise<SyncReport> {
  const start = performance.now()
  const tally = new Tally()
  try {
    const outcome = await syncInTransaction(world, stream, files, options, tally, start)
    return syncReport(stream.key, secondsSince(start), tally, outcome)
  } catch (error) {
    const reasons = [refusalFrom(error).message]
    const run = { stream: stream.key, startedAt: options.now, finishedAt: finishedAt(options, start) }
    await writeRun(world.database, { ...run, status: 'refused', snapshotId: null, reasons })
    return syncReport(stream.key, secondsSince(start), tally, {
      status: 'refused',
      snapshot_ref: null,
      reasons,
    })
  }
}

async function syncInTransaction(
  world: World,
  stream: Stream,
  files: readonly SourceFile[],
  options: SyncOptions,
  tally: Tally,
  start: number,
): Promise<SyncOutcome> {
  const { takenAt, now, onProgress, waitMsMax = waitMsMaxDefault } = options
  const contentSha256 = await contentDigest(files)
  return world.database.transaction().execute(async tx => {
    await prepareTransaction(tx, waitMsMax)
    await lockStream(tx, stream.key)
    const last = await readLastSnapshot(tx, stream.key)
    const candidate = { takenAt, now, contentSha256, parserVersion: stream.parserVersion }
    const judged = judgeSnapshot(candidate, last)
    const run = { stream: stream.key, startedAt: now, reasons: [] }
    if (last !== undefined && judged === 'unchanged') {
      await confirmStream(tx, stream.key, takenAt)
      await writeRun(tx, {
        ...run,
        finishedAt: finishedAt(options, start),
        status: 'unchanged',
        snapshotId: last.id,
      })
      const { rows, rejected, rejectedByReason: rejected_by_reason } = last
      return { status: 'unchanged', snapshot_ref: last.snapshotRef, rows, rejected, rejected_by_reason }
    }
    const snapshot = { stream, takenAt, previousTakenAt: last?.takenAt ?? null, now }
    const { snapshotId, ...outcome } = await takeSnapshot(
      tx,
      snapshot,
      files,
      contentSha256,
      tally,
      onProgress,
    )
    await writeRun(tx, { ...run, finishedAt: finishedAt(options, start), status: 'applied', snapshotId })
    return outcome
  })
}

function secondsSince(start: number): number {
  return Math.round(performance.now() - start) / 1000
}

function finishedAt(options: SyncOptions, start: number): Date {
  return new Date(options.now.getTime() + Math.round(performance.now() - start))
}

const characterNotInRepertoire = '22021'

/** What says something of the snapshot or the moment is a refusal; anything else is a fault, and thrown on. */
function refusalFrom(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isLockTimeout(error) || isTransient(error)) {
    return new Refusal('another sync or import was in the way; nothing was changed, try again', {
      cause: error,
    })
  }
  if (errorCode(error) === characterNotInRepertoire) {
    return new Refusal('a row holds a zero byte, which no text has', { cause: error })
  }
  throw error
}
