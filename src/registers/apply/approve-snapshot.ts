import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { readLastSnapshot, writeSignalCount } from '../snapshot/snapshot-store.ts'
import { storedRows } from '../snapshot/store-files.ts'
import { findSnapshot, writeApproval } from '../snapshot/stored-snapshots-store.ts'
import { Tally } from '../snapshot/tally.ts'
import { Refusal, type Stream } from '../stream.ts'
import { applySnapshot, compareSnapshot, noteFewRows, stageSnapshot } from './apply-snapshot.ts'
import { applyTime, shouldEmitSignals } from './incoming-snapshot.ts'
import { writeRun } from './runs-store.ts'
import { refusalFromError } from './sync-register.ts'
import { type SyncReport, syncReport } from './sync-report.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

const waitMsMax = 240_000

/** Why a snapshot was approved is kept, in at most this many characters. */
const approvalCharactersMax = 2_000

export type Approval = {
  snapshotRef: string
  /** Why the snapshot is right; stored with it. */
  reason: string
  findStream: (world: World, key: string) => Promise<Stream | undefined>
  now: Date
}

/**
 * Applies a snapshot that was held, from its kept rows, because a person says why it is true (`baize register approve`).
 * One that has been overtaken meanwhile is refused: the register has spoken since.
 */
export async function approveSnapshot(
  world: World,
  { snapshotRef, reason: reasonGiven, findStream, now }: Approval,
): Promise<SyncReport> {
  const start = performance.now()
  const found = await findSnapshot(world.database, snapshotRef)
  if (found === undefined) throw new StaffError(`there is no snapshot ${snapshotRef}`)
  const stream = await findStream(world, found.stream)
  if (stream === undefined) throw new StaffError(`there is no stream ${found.stream} any more`)
  const reason = reasonGiven.trim()
  if (reason === '' || reason.length > approvalCharactersMax)
    throw new StaffError(`an approval takes a reason of 1 to ${approvalCharactersMax} characters`)
  const tally = new Tally()
  const seconds = () => Math.round(performance.now() - start) / 1000
  try {
    const outcome = await world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, waitMsMax)
      await lockStream(tx, stream.key)
      const held = await findSnapshot(tx, snapshotRef)
      if (held?.status !== 'held' || held.rowsSha256 === null)
        throw new Refusal(`${snapshotRef} waits for no approval: it is ${held?.status}`)
      const last = await readLastSnapshot(tx, stream.key)
      const isTooLate =
        last !== undefined && (held.isCorrection ? held.takenAt < last.takenAt : held.takenAt <= last.takenAt)
      if (last !== undefined && isTooLate)
        throw new Refusal(
          `${snapshotRef} comes too late: a snapshot of ${last.takenAt.toISOString()} was applied since`,
        )
      const staged = await stageSnapshot(tx, storedRows(world.database, held.rowsSha256), tally)
      noteFewRows(tally, stream, held.rows)
      await lockFacts(tx)
      const { takenAt, isCorrection } = held
      const tells = shouldEmitSignals(stream.rowsMin, held.rows, last?.rowsMost ?? null)
      const appliedAt = applyTime(now, last)
      const previousTakenAt = last?.takenAt ?? null
      const snapshot = { stream, takenAt, previousTakenAt, now: appliedAt, isCorrection, tells }
      const differences = await compareSnapshot(tx, snapshot)
      const { snapshotId, ...applied } = await applySnapshot(tx, snapshot, differences, tally, counts => ({
        ...held,
        ...counts,
        approvedRef: snapshotRef,
        stream,
        now: appliedAt,
      }))
      await writeApproval(tx, snapshotId, reason, now)
      await writeSignalCount(tx, snapshotId, applied.signals ?? 0)
      await writeRun(tx, {
        stream: stream.key,
        startedAt: now,
        finishedAt: new Date(now.getTime() + Math.round(performance.now() - start)),
        status: 'applied',
        snapshotId,
        reasons: [`approved: ${reason}`],
      })
      const { rows, rejected, rejectedByReason: rejected_by_reason } = held
      return { ...applied, accepted: staged.accepted, rows, rejected, rejected_by_reason }
    })
    return syncReport(stream.key, seconds(), tally, outcome)
  } catch (error) {
    const reasons = [refusalFromError(error).message]
    return syncReport(stream.key, seconds(), tally, { status: 'refused', snapshot_ref: snapshotRef, reasons })
  }
}
