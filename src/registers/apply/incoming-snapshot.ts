import type { Stream } from '@baize/registers'
import type { Form } from '@baize/registers/guard'
import { truthStateOf } from '../../features/source-facts.ts'

export type IncomingSnapshot = {
  stream: Stream
  takenAt: Date
  /** The time of the last snapshot; null for a baseline. */
  previousTakenAt: Date | null
  now: Date
  /** Whether a newer parser read the last snapshot's files. */
  isCorrection: boolean
  /** Whether the snapshot is read as history. Its Signals are then marked and free. */
  isBackfill: boolean
  emitsSignals: boolean
  /**
   * Whether it is the first after older files that ended long before. Its Signals are then marked and free,
   * too.
   */
  followsGap: boolean
  /**
   * Whether the last snapshot had another form. Fields that only one form publishes then do not count as
   * changed.
   */
  isOtherForm: boolean
}

export function isOtherForm(form: Form, last: { form: Form } | undefined): boolean {
  return last !== undefined && form !== last.form
}

/** Returns whether the last snapshot came from a backfill and was stale when this one was taken. */
export function followsGap(
  { cadence }: Pick<Stream, 'cadence'>,
  snapshot: { takenAt: Date; isBackfill: boolean },
  last: { takenAt: Date; isBackfill: boolean } | undefined,
): boolean {
  if (last === undefined || snapshot.isBackfill || !last.isBackfill) return false
  const before = { is_quarantined: false, last_confirmed_at: last.takenAt, cadence_hours: cadence.hours }
  return truthStateOf(before, snapshot.takenAt) === 'stale'
}

/**
 * Returns a time after any change of the stream, because `known_to` of a row identifies the snapshot that
 * closed it.
 */
export function applyTime(now: Date, last: { changedAt: Date } | undefined): Date {
  return new Date(Math.max(now.getTime(), (last?.changedAt.getTime() ?? Number.NEGATIVE_INFINITY) + 1))
}
