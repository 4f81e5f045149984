import type { Database, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { readLastSnapshot, writeSignalCount } from '../snapshot/snapshot-store.ts'
import { stageSnapshot } from '../snapshot/stage-snapshot.ts'
import { storedRows } from '../snapshot/store-files.ts'
import { readSnapshotById } from '../snapshot/stored-snapshots-store.ts'
import { Tally } from '../snapshot/tally.ts'
import type { Stream } from '../stream.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { compareSnapshot } from './compare-snapshot.ts'
import { isOtherForm } from './incoming-snapshot.ts'
import type { RecordedStream } from './recorded-stream.ts'
import { confirmStream } from './streams-store.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

const waitMsMax = 60_000

/** A `snapshot` event of the journal. The keys of `detail` are stored; `tells` is `emitsSignals`. */
type RecordedSnapshot = {
  snapshotId: number
  detail: {
    stream: RecordedStream
    tells: boolean
    returns?: 'of_objects'
    entries?: 'of_new'
    misprints?: 'withdrawn'
    gap?: 'followed'
  }
  at: Date
}

/** Applies a recorded snapshot without the guard: it was applied or approved then. */
export async function replaySnapshot(
  world: World,
  history: Database,
  { snapshotId, detail, at }: RecordedSnapshot,
): Promise<void> {
  const recorded = await readSnapshotById(history, snapshotId)
  if (recorded.rowsSha256 === null)
    throw new Error(`The rows of snapshot ${recorded.snapshotRef} are not stored.`)
  const rows = storedRows(history, recorded.rowsSha256)
  const stream = detail.stream as Stream
  await world.database.transaction().execute(async tx => {
    await prepareTransaction(tx, waitMsMax)
    await lockStream(tx, stream.key)
    const last = await readLastSnapshot(tx, stream.key)
    const tally = new Tally()
    const { rowsSha256 } = await stageSnapshot(tx, rows, tally)
    await lockFacts(tx)
    const { takenAt, isCorrection, isBackfill } = recorded
    const snapshot = {
      stream,
      takenAt,
      previousTakenAt: last?.takenAt ?? null,
      now: at,
      isCorrection,
      isBackfill,
      emitsSignals: detail.tells,
      followsGap: detail.gap === 'followed',
      isOtherForm: !isCorrection && isOtherForm(recorded.form, last),
      returnsByRecordKey: detail.returns !== 'of_objects',
      withdrawsNone: detail.misprints !== 'withdrawn',
      leavesAbsent: detail.stream.absenceRemoves === false,
      entriesOfAll: detail.entries !== 'of_new',
    }
    const differences = await compareSnapshot(tx, snapshot)
    const toStore = { ...recorded, rowsSha256, approvedRef: null, stream, now: at }
    const applied = await applySnapshot(tx, { snapshot, differences, tally, toStore })
    await writeSignalCount(tx, applied.snapshotId, applied.outcome.signals ?? 0)
  })
}

export async function replayConfirmation(world: World, stream: string, takenAt: Date): Promise<void> {
  await world.database.transaction().execute(async tx => {
    await lockFacts(tx)
    await confirmStream(tx, stream, takenAt)
  })
}
