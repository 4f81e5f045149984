import type { Stream } from '../stream.ts'

/** A snapshot that is being compared and applied. */
export type IncomingSnapshot = {
  stream: Stream
  takenAt: Date
  /** When the last snapshot was taken, up to which the open rows are confirmed. Null: this is the baseline. */
  previousTakenAt: Date | null
  /** When it is applied, see `applyTime`. */
  now: Date
  /** The last snapshot's files, read by a newer parser: corrects data, and is not a change of the register. */
  isCorrection: boolean
  /** See `shouldEmitSignals`. */
  emitsSignals: boolean
  /** Replays of early snapshots only: a returned blocklist entry is recognised by record key, not by object. */
  returnsByRecordKey?: boolean
}

/**
 * Whether the differences to the last snapshot become Signals. False for a baseline, and for the first snapshot with at
 * least `rowsMin` rows: most of what it adds was on the register before. `rowsMost` is the most rows of an applied
 * snapshot, null without one.
 */
export function shouldEmitSignals(rowsMin: number, rows: number, rowsMost: number | null): boolean {
  return rowsMost !== null && !(rowsMost < rowsMin && rows >= rowsMin)
}

/**
 * Now, but always later than the stream's last `applied_at`. `known_to` of a row identifies the snapshot that closed it,
 * so no two snapshots of a stream may share it, not even a correction and the snapshot after it.
 */
export function applyTime(now: Date, last: { appliedAt: Date } | undefined): Date {
  return new Date(Math.max(now.getTime(), (last?.appliedAt.getTime() ?? Number.NEGATIVE_INFINITY) + 1))
}
