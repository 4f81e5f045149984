import type { NormalisedRow, RecordKind, RejectReason } from '../stream.ts'
import type { Tally } from './tally.ts'

/** Figures of a snapshot, stored as JSON: the guard compares the next snapshot with them. */
export type Figures = {
  records: Record<RecordKind, number>
  rows: number
  /** Rejected rows, without the expected rejects below. */
  unusable: number
  repeated: number
  /** How many records have a value, by `kind.field`. */
  filled: Record<string, number>
  unknownColumns: string[]
  /** The last key read: missing next time, it may mean a file that was cut off. */
  lastKeys: Partial<Record<RecordKind, string>>
}

/** Rejects that do not make a file suspicious. */
const expectedRejects: ReadonlySet<RejectReason> = new Set(['duplicate', 'shared_host', 'help_site'])

export class FigureCounter {
  readonly #lastKeys: Figures['lastKeys'] = {}

  add(row: NormalisedRow): void {
    this.#lastKeys[row.record] = row.recordKey
  }

  total(tally: Tally, staged: Pick<Figures, 'records' | 'filled'>): Figures {
    let unusable = 0
    for (const [reason, count] of Object.entries(tally.rejectedByReason))
      if (!expectedRejects.has(reason as RejectReason)) unusable += count
    return {
      ...staged,
      rows: tally.rows,
      unusable,
      repeated: tally.rejectedByReason.duplicate ?? 0,
      unknownColumns: [...tally.unknownColumns].sort(),
      lastKeys: this.#lastKeys,
    }
  }
}
