import type { Database, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { readLastSnapshot, writeSignalCount } from '../snapshot/snapshot-store.ts'
import { storedRows } from '../snapshot/store-files.ts'
import { readSnapshotById } from '../snapshot/stored-snapshots-store.ts'
import { Tally } from '../snapshot/tally.ts'
import type { Stream } from '../stream.ts'
import { applySnapshot, compareSnapshot, type RecordedStream, stageSnapshot } from './apply-snapshot.ts'
import { confirmStream } from './runs-store.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

const waitMsMax = 60_000

/** A `snapshot` event of the journal; `detail` as stored. */
export type RecordedSnapshot = {
  snapshotId: number
  detail: { stream: RecordedStream; tells: boolean; returns?: 'of_objects' }
  at: Date
}

/**
 * Applies a recorded snapshot of `history` to `world` as it was applied then: its kept rows, its moments, the facts of its
 * stream. Nobody weighs it again: it was applied, whether by itself or because a person approved it.
 */
export async function replaySnapshot(
  world: World,
  history: Database,
  { snapshotId, detail: { stream: facts, tells, returns }, at }: RecordedSnapshot,
): Promise<void> {
  const recorded = await readSnapshotById(history, snapshotId)
  if (recorded.rowsSha256 === null)
    throw new Error(`the rows of snapshot ${recorded.snapshotRef} were not kept`)
  const rows = storedRows(history, recorded.rowsSha256)
  // Of a stream, applying uses the recorded facts alone.
  const stream = facts as Stream
  await world.database.transaction().execute(async tx => {
    await prepareTransaction(tx, waitMsMax)
    await lockStream(tx, stream.key)
    const last = await readLastSnapshot(tx, stream.key)
    const tally = new Tally()
    await stageSnapshot(tx, rows, tally)
    await lockFacts(tx)
    const { takenAt, isCorrection } = recorded
    const snapshot = {
      stream,
      takenAt,
      previousTakenAt: last?.takenAt ?? null,
      now: at,
      isCorrection,
      tells,
      returnsByRecordKey: returns !== 'of_objects',
    }
    const differences = await compareSnapshot(tx, snapshot)
    const { snapshotId: id, signals } = await applySnapshot(tx, snapshot, differences, tally, counts => ({
      ...recorded,
      ...counts,
      approvedRef: null,
      stream,
      now: at,
    }))
    await writeSignalCount(tx, id, signals ?? 0)
  })
}

/** Confirms a stream as the recorded run did. */
export async function replayConfirmation(world: World, stream: string, takenAt: Date): Promise<void> {
  await world.database.transaction().execute(async tx => {
    await lockFacts(tx)
    await confirmStream(tx, stream, takenAt)
  })
}
