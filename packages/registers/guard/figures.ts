import type { NormalisedRow, RecordKind, RejectReason } from '../stream.ts'
import type { RecordTally } from './tally.ts'

/** The figures of a snapshot, stored as JSON. The guard compares the next snapshot with them. */
export type SnapshotFigures = {
  records: Record<RecordKind, number>
  rows: number
  /** The number of rejected rows, without the expected rejects below. */
  unusable: number
  repeated: number
  /** The number of records with a value, by `kind.field`. */
  filled: Record<string, number>
  unknownColumns: string[]
  /** What the file states of its number of rows, where fewer were read. */
  incomplete?: string
  /** The number of elements beside the rows that are none. Absent before 0.2.0. */
  besideRows?: number
  /** The last key read. If it is missing next time, the file may have been cut off. */
  lastKeys: Partial<Record<RecordKind, string>>
  /**
   * What an applied snapshot removed, of the records in force, by kind. The bounds of later snapshots follow
   * it. Snapshots that release 0.1.0 applied have none.
   */
  removals?: Partial<Record<RecordKind, { removed: number; of: number }>>
}

/** These rejects do not make a file suspicious. */
const expectedRejects: ReadonlySet<RejectReason> = new Set(['duplicate', 'shared_host', 'help_site'])

export class FigureCounter {
  readonly #lastKeys: SnapshotFigures['lastKeys'] = {}

  get kinds(): RecordKind[] {
    return Object.keys(this.#lastKeys) as RecordKind[]
  }

  add(row: NormalisedRow): void {
    this.#lastKeys[row.record] = row.recordKey
  }

  total(tally: RecordTally, staged: Pick<SnapshotFigures, 'records' | 'filled'>): SnapshotFigures {
    let unusable = 0
    for (const [reason, count] of Object.entries(tally.rejectedByReason))
      if (!expectedRejects.has(reason as RejectReason)) unusable += count
    return {
      ...staged,
      rows: tally.rows,
      unusable,
      repeated: tally.rejectedByReason.duplicate ?? 0,
      unknownColumns: [...tally.unknownColumns].sort(),
      ...(tally.incomplete === null ? {} : { incomplete: tally.incomplete }),
      besideRows: tally.besideRows,
      lastKeys: this.#lastKeys,
    }
  }
}

const growthToNote = 2

/** Notes growth, which is not a reason for a quarantine because real lists double. */
export function noteGrowth(tally: RecordTally, figures: SnapshotFigures, last: SnapshotFigures | null): void {
  if (last === null || figures.rows <= last.rows * growthToNote) return
  tally.addNotices('grew to more than twice the rows', 1, [`${last.rows} to ${figures.rows}`])
}
