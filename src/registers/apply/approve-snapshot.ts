import type { Stream } from '@baize/registers'
import { RecordTally } from '@baize/registers/guard'
import { Refusal } from '@baize/tables'
import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { type Actor, recordAuditEvent } from '../../features/audit/index.ts'
import { lockFacts } from '../../journal/index.ts'
import { compareSnapshot } from '../changes/compare-snapshot.ts'
import { writeApproval } from '../snapshot/quarantine-store.ts'
import type { StoredSnapshot } from '../snapshot/snapshot.ts'
import { readLastSnapshot, writeSignalCount } from '../snapshot/snapshot-store.ts'
import { stageSnapshot } from '../snapshot/stage-snapshot.ts'
import { storedRows } from '../snapshot/store-files.ts'
import { findSnapshot } from '../snapshot/stored-snapshots-store.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { applyTime, followsGap, isOtherForm } from './incoming-snapshot.ts'
import { refusalFromError } from './refusal-from-error.ts'
import { writeRun } from './runs-store.ts'
import { staffReason } from './staff-reason.ts'
import { reportedRows, type SyncOutcome, type SyncReport, syncReport } from './sync-report.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

const waitMsMax = 240_000

type Approval = {
  snapshotRef: string
  reason: string
  findStream: (world: World, key: string) => Promise<Stream | undefined>
  now: Date
  by?: Actor
}

/** Reports `refused` if a newer snapshot was applied since; throws a StaffError for wrong input. */
export async function approveSnapshot(world: World, approval: Approval): Promise<SyncReport> {
  const { snapshotRef, findStream, now, by } = approval
  const start = performance.now()
  const found = await findSnapshot(world.database, snapshotRef)
  if (found === undefined) throw new StaffError(`There is no snapshot ${snapshotRef}.`)
  const stream = await findStream(world, found.stream)
  if (stream === undefined) throw new StaffError(`There is no stream ${found.stream} any more.`)
  const reason = staffReason(approval.reason, 'an approval')
  const tally = new RecordTally()
  const elapsedMs = () => Math.round(performance.now() - start)
  const report = (outcome: SyncOutcome) => syncReport(stream.key, elapsedMs() / 1000, tally, outcome)
  try {
    const outcome = await world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, waitMsMax)
      await lockStream(tx, stream.key)
      const { snapshotId, outcome } = await applyApproved(tx, { snapshotRef, stream, now, tally })
      await writeApproval(tx, snapshotId, reason, now)
      await writeSignalCount(tx, snapshotId, outcome.signals ?? 0)
      await writeRun(tx, {
        stream: stream.key,
        startedAt: now,
        finishedAt: new Date(now.getTime() + elapsedMs()),
        status: 'applied',
        snapshotId,
        reasons: [`approved: ${reason}`],
      })
      const event = { action: 'snapshot.approved', subject: snapshotRef, accountId: null, now }
      await recordAuditEvent(tx, by, { ...event, details: { reason } })
      return outcome
    })
    return report(outcome)
  } catch (error) {
    const reasons = [refusalFromError(error).message]
    return report({ status: 'refused', snapshot_ref: snapshotRef, reasons })
  }
}

async function applyApproved(
  tx: Transaction,
  { snapshotRef, stream, now, tally }: { snapshotRef: string; stream: Stream; now: Date; tally: RecordTally },
): Promise<{ snapshotId: number; outcome: SyncOutcome }> {
  const quarantined = requireQuarantined(await findSnapshot(tx, snapshotRef), snapshotRef)
  const { takenAt, isCorrection, isBackfill } = quarantined
  const last = await readLastSnapshot(tx, stream.key)
  const isTooLate = last !== undefined && (isCorrection ? takenAt < last.takenAt : takenAt <= last.takenAt)
  if (isTooLate)
    throw new Refusal(`${snapshotRef} was superseded by an applied snapshot of ${last.takenAt.toISOString()}`)
  const stored = storedRows(tx, quarantined.rowsSha256)
  const { accepted, rowsSha256 } = await stageSnapshot(tx, stored, tally)
  await lockFacts(tx)
  const snapshot = {
    stream,
    takenAt,
    previousTakenAt: last?.takenAt ?? null,
    now: applyTime(now, last),
    isCorrection,
    isBackfill,
    emitsSignals: last !== undefined,
    followsGap: !isCorrection && followsGap(stream, quarantined, last),
    isOtherForm: !isCorrection && isOtherForm(quarantined.form, last),
  }
  const differences = await compareSnapshot(tx, snapshot)
  const toStore = { ...quarantined, rowsSha256, approvedRef: snapshotRef, stream, now: snapshot.now }
  const { snapshotId, outcome } = await applySnapshot(tx, { snapshot, differences, tally, toStore })
  return { snapshotId, outcome: { ...outcome, accepted, ...reportedRows(quarantined) } }
}

function requireQuarantined(snapshot: StoredSnapshot | undefined, ref: string) {
  if (snapshot?.status !== 'held')
    throw new Refusal(`${ref} does not await approval: its status is "${snapshot?.status}"`)
  return snapshot
}
