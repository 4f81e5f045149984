import { truthStateOf } from '../../features/truth-state.ts'
import type { Form } from '../snapshot/tally.ts'
import type { Stream } from '../stream.ts'

export type IncomingSnapshot = {
  stream: Stream
  takenAt: Date
  /** When the last snapshot was taken; null: this is the baseline. */
  previousTakenAt: Date | null
  now: Date
  /** The last snapshot's files, read by a newer parser. */
  isCorrection: boolean
  /** Read as history: its Signals are marked and free. */
  isBackfill: boolean
  emitsSignals: boolean
  /** The first one after older files that ended long before: its Signals are marked and free, too. */
  followsGap: boolean
  /** Read in another form than the last snapshot: what only one form publishes is no change. */
  isOtherForm: boolean
  /** Replays of early snapshots: a returned entry is recognised by its record key, not its object. */
  returnsByRecordKey?: boolean
  /** Replays of early snapshots: in some streams absent entries were closed without being delisted. */
  leavesAbsent?: boolean
  /** Replays of early snapshots: corrected misprints were delisted. */
  withdrawsNone?: boolean
  /** Replays of early snapshots: every added or returned license of an operator is a market entry. */
  entriesOfAll?: boolean
}

/** False for a baseline, and for the first complete snapshot (`rowsComplete`) after incomplete ones. */
export function shouldEmitSignals(rowsComplete: number, rows: number, rowsMost: number | null): boolean {
  return rowsMost !== null && !(rowsMost < rowsComplete && rows >= rowsComplete)
}

/** Snapshots that were stored before forms were recorded count as of the same form. */
export function isOtherForm(form: Form | null, last: { form: Form | null } | undefined): boolean {
  return last !== undefined && last.form !== null && form !== null && form !== last.form
}

/** Whether the older files that were read last end longer before than the source's data stay current. */
export function followsGap(
  { cadence }: Pick<Stream, 'cadence'>,
  snapshot: { takenAt: Date; isBackfill: boolean },
  last: { takenAt: Date; isBackfill: boolean } | undefined,
): boolean {
  if (last === undefined || snapshot.isBackfill || !last.isBackfill) return false
  const before = { isQuarantined: false, last_confirmed_at: last.takenAt, cadenceHours: cadence.hours }
  return truthStateOf(before, snapshot.takenAt) === 'stale'
}

/** Later than any change of the stream, because `known_to` of a row identifies the snapshot that closed it. */
export function applyTime(now: Date, last: { changedAt: Date } | undefined): Date {
  return new Date(Math.max(now.getTime(), (last?.changedAt.getTime() ?? Number.NEGATIVE_INFINITY) + 1))
}
