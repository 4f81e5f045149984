import type { Transaction } from '../../database/open.ts'
import { lockFacts, recordEvent } from '../../journal/index.ts'
import type { AppliedSnapshot } from '../snapshot/snapshot.ts'
import { type SyncRun, writeRun } from './runs-store.ts'
import { confirmStream } from './streams-store.ts'
import { reportedRows, type SyncOutcome } from './sync-report.ts'

/** Records that the source was unchanged at `takenAt`. `at` is the time of recording. */
export async function confirmSnapshot(
  tx: Transaction,
  last: AppliedSnapshot,
  {
    takenAt,
    at,
    run,
  }: { takenAt: Date; at: Date; run: Pick<SyncRun, 'stream' | 'startedAt' | 'finishedAt'> },
): Promise<SyncOutcome> {
  const { stream } = run
  await lockFacts(tx)
  await confirmStream(tx, stream, takenAt)
  await recordEvent(tx, { kind: 'confirmation', at, detail: { stream, taken_at: takenAt.toISOString() } })
  await writeRun(tx, { ...run, status: 'unchanged', snapshotId: last.id, reasons: [] })
  return { status: 'unchanged', snapshot_ref: last.snapshotRef, ...reportedRows(last) }
}
