import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '@baize/names'
import type { Stream } from '@baize/registers'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { syncRegister } from '../apply/sync-register.ts'
import type { SyncReport } from '../apply/sync-report.ts'
import { sourceFileFrom } from '../file-on-disk.ts'
import { readStreamStates } from '../list-registers-store.ts'

const filesMax = 20_000
const namesShownMax = 5

type DatedFiles = { takenAt: Date; paths: string[] }

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

/** Groups files of one date into one snapshot. The date is in the name of the file, or of its folder. */
async function datedFilesIn(directory: string): Promise<DatedFiles[]> {
  const byDate = new Map<number, string[]>()
  const undated: string[] = []
  let count = 0
  for await (const { path, names } of filesIn(directory)) {
    count += 1
    if (count > filesMax) throw new StaffError(`${directory} has more than ${filesMax} files.`)
    const date = names.map(dateIn).find(each => each !== null)
    if (date == null) undated.push(names.join('/'))
    else byDate.set(date, [...(byDate.get(date) ?? []), path])
  }
  if (undated.length > 0)
    throw new StaffError(
      `${counted(undated.length, 'file has', 'files have')} no date in the name: ` +
        `${undated.toSorted().slice(0, namesShownMax).join(', ')}. ` +
        'Names must contain a date such as 2026-10-01 or 20261001, or be in a folder whose name does.',
    )
  if (count === 0) throw new StaffError(`${directory} has no files.`)
  return [...byDate]
    .toSorted(([one], [other]) => one - other)
    .map(([date, paths]) => ({ takenAt: new Date(date), paths: paths.toSorted() }))
}

type Found = { path: string; names: string[] }

/** Yields the files of the folder and of its folders, one level deep, without hidden ones. */
async function* filesIn(directory: string): AsyncGenerator<Found, void> {
  for (const entry of await entriesOf(directory)) {
    const path = join(directory, entry.name)
    if (entry.isFile()) yield { path, names: [entry.name] }
    if (!entry.isDirectory()) continue
    for (const inner of await entriesOf(path))
      if (inner.isFile()) yield { path: join(path, inner.name), names: [inner.name, entry.name] }
  }
}

async function entriesOf(directory: string) {
  const folder = await opendir(directory).catch((error: Error) => {
    throw new StaffError(`${directory} cannot be read: ${error.message}`)
  })
  const entries = await Array.fromAsync(folder)
  return entries.filter(entry => !entry.name.startsWith('.'))
}

/** Returns midnight UTC of a day such as 2026-10-01, 2026_10_01 or 20261001, or null. */
function dateIn(name: string): number | null {
  const [, year, month, day] =
    /(?<!\d)(20\d\d)([-._]?)(\d\d)\2(\d\d)(?!\d)/.exec(name)?.filter((_, at) => at !== 2) ?? []
  if (year === undefined) return null
  const text = `${year}-${month}-${day}`
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : date.getTime()
}
