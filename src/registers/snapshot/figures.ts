import type { RecordKind } from '../apply/incoming-snapshot.ts'
import type { NormalisedRow, RejectReason } from '../stream.ts'
import type { Tally } from './tally.ts'

/** What is remembered of a snapshot so that the next one can be weighed against it. */
export type Figures = {
  /** Records that were used, by kind, repeated ones counted once. */
  records: Record<RecordKind, number>
  /** Rows that were read, used or not. */
  rows: number
  /** Rows that should have been readable and were not. */
  unusable: number
  /** Rows that named a record for the second time. */
  repeated: number
  /** How many records have a value, by `kind.field`. */
  filled: Record<string, number>
  unknownColumns: string[]
  /** The record key that was read last, by kind: whether it is missing next time tells a cut file. */
  lastKeys: Partial<Record<RecordKind, string>>
}

/** Rows that say nothing wrong: they are left out on purpose, or say a second time what was said. */
const rejectedOnPurpose: ReadonlySet<RejectReason> = new Set(['duplicate', 'not_yet_decided', 'shared_host'])

/** Collects the figures while rows pass by; what only the staged records tell is added at the end. */
export class FigureCounter {
  readonly #lastKeys: Figures['lastKeys'] = {}

  see(row: NormalisedRow): void {
    this.#lastKeys[row.record] = row.recordKey
  }

  total(tally: Tally, staged: Pick<Figures, 'records' | 'filled'>): Figures {
    let unusable = 0
    for (const [reason, count] of Object.entries(tally.rejectedByReason))
      if (!rejectedOnPurpose.has(reason as RejectReason)) unusable += count
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
