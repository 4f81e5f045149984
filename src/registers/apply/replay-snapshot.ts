import type { Stream } from '@baize/registers'
import { RecordTally } from '@baize/registers/guard'
import type { Database, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { compareSnapshot } from '../changes/compare-snapshot.ts'
import { readLastSnapshot, writeSignalCount } from '../snapshot/snapshot-store.ts'
import { stageSnapshot } from '../snapshot/stage-snapshot.ts'
import { storedRows } from '../snapshot/store-files.ts'
import { readSnapshotById } from '../snapshot/stored-snapshots-store.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { isOtherForm } from './incoming-snapshot.ts'
import type { SnapshotDetail } from './recorded-stream.ts'
import { confirmStream } from './streams-store.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

const waitMsMax = 60_000

type RecordedSnapshot = { snapshotId: number; detail: SnapshotDetail; at: Date }

/** Applies a recorded snapshot without the guard, because it passed the guard or an approval before. */
export async function replaySnapshot(
  world: World,
  history: Database,
  { snapshotId, detail, at }: RecordedSnapshot,
): Promise<void> {
  const recorded = await readSnapshotById(history, snapshotId)
  const rows = storedRows(history, recorded.rowsSha256)
  const stream = detail.stream as Stream
  await world.database.transaction().execute(async tx => {
    await prepareTransaction(tx, waitMsMax)
    await lockStream(tx, stream.key)
    const last = await readLastSnapshot(tx, stream.key)
    const tally = new RecordTally()
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
      emitsSignals: detail.emits_signals,
      followsGap: detail.follows_gap,
      isOtherForm: !isCorrection && isOtherForm(recorded.form, last),
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
