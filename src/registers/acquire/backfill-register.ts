import type { Stream } from '@baize/registers'
import type { World } from '../../database/open.ts'
import { syncRegister } from '../apply/sync-register.ts'
import type { SyncReport } from '../apply/sync-report.ts'
import { sourceFileFrom } from '../file-on-disk.ts'
import { readStreamStates } from '../list-registers-store.ts'
import { datedFilesIn } from './dated-files.ts'

type BackfillReport = {
  stream: string
  /** The snapshots in order. The last one is quarantined if the backfill stopped there. */
  snapshots: (Pick<
    SyncReport,
    'snapshot_ref' | 'status' | 'reasons' | 'rows' | 'added' | 'removed' | 'changed' | 'signals'
  > & { taken_at: Date; files: string[] })[]
  /** The number of dates that were skipped, because they are not after the last snapshot of the stream. */
  skipped: number
  /** The number of dates after a quarantined snapshot. */
  left: number
}

type Options = { now: () => Date; onSnapshot?: (snapshot: BackfillReport['snapshots'][number]) => void }

/**
 * Reads a folder of dated files in order, as history. A refused file is skipped. A quarantined snapshot
 * stops the backfill until a person approves it or removes the file.
 */
export async function backfillRegister(
  world: World,
  stream: Stream,
  directory: string,
  { now, onSnapshot = () => {} }: Options,
): Promise<BackfillReport> {
  const dated = await datedFilesIn(directory)
  const states = await readStreamStates(world.database)
  const last = states.find(state => state.stream === stream.key)?.last_taken_at ?? null
  const unread = dated.filter(({ takenAt }) => last === null || takenAt > last)
  const report: BackfillReport = {
    stream: stream.key,
    snapshots: [],
    skipped: dated.length - unread.length,
    left: 0,
  }
  for (const [index, { takenAt, paths }] of unread.entries()) {
    const files = await Promise.all(paths.map(sourceFileFrom))
    const { snapshot_ref, status, reasons, rows, added, removed, changed, signals } = await syncRegister(
      world,
      stream,
      files,
      { takenAt, now: now(), isBackfill: true },
    )
    const names = files.map(file => file.name)
    const counts = { rows, added, removed, changed, signals }
    const snapshot = { taken_at: takenAt, files: names, snapshot_ref, status, reasons, ...counts }
    report.snapshots.push(snapshot)
    onSnapshot(snapshot)
    if (status !== 'held') continue
    report.left = unread.length - index - 1
    break
  }
  return report
}
