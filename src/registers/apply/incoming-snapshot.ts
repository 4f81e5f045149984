import type { Stream } from '../stream.ts'

/** A snapshot that is being compared and applied. */
export type IncomingSnapshot = {
  stream: Stream
  takenAt: Date
  /** When the last snapshot was taken: the last moment for which the held rows are known. Null: this is the baseline. */
  previousTakenAt: Date | null
  /** When it is applied: `applyTime`. */
  now: Date
  /** The files of the last snapshot, read by a newer parser: mends data, and is no change of the register. */
  isCorrection: boolean
  /** false: a baseline, or the first snapshot that can be whole after ones that could not. */
  tells: boolean
  /** A replay of what was recorded before a blocklist's returns were told of what is listed: as it was told then. */
  returnsByRecordKey?: boolean
}

/**
 * Whether what changed since the last snapshot is news. Until a stream has had a snapshot that can be the whole register it is
 * not: most of what seems to come with the first one was there all along. `rowsMost` is the most that an applied snapshot
 * had; null: there was none.
 */
export function shouldEmitSignals(rowsMin: number, rows: number, rowsMost: number | null): boolean {
  return rowsMost !== null && !(rowsMost < rowsMin && rows >= rowsMin)
}

/**
 * Now, and always later than the stream's snapshot before, whatever the clock says: what closed a fact is told by the moment
 * at which it was closed, and a correction is followed by the register's own snapshot within the same run.
 */
export function applyTime(now: Date, last: { appliedAt: Date } | undefined): Date {
  return new Date(Math.max(now.getTime(), (last?.appliedAt.getTime() ?? Number.NEGATIVE_INFINITY) + 1))
}

/** What a comparison found, in records. */
export type Differences = {
  added: number
  removed: number
  changed: number
  /** Rows to be rewritten although nothing is to be reported of them (UKGC's version counter). */
  restated: number
}

export type RecordKind = 'licensee' | 'license' | 'authorisation' | 'blocklist_entry'

export type DifferencesByKind = Record<RecordKind, Differences>

/** Licensees are counted with what they hold: a report speaks of licenses, authorised domains and entries. */
export function reported({ license, authorisation, blocklist_entry }: DifferencesByKind): Differences {
  return sumOf([license, authorisation, blocklist_entry])
}

export function sumOf(differences: readonly Differences[]): Differences {
  const sum = { added: 0, removed: 0, changed: 0, restated: 0 }
  for (const { added, removed, changed, restated } of differences) {
    sum.added += added
    sum.removed += removed
    sum.changed += changed
    sum.restated += restated
  }
  return sum
}
