import type { SnapshotFigures } from '../snapshot/figures.ts'
import type { RecordTally } from '../snapshot/tally.ts'

const growthToNote = 2

/** Notes growth, which is not a reason for a quarantine because real lists double. */
export function noteGrowth(tally: RecordTally, figures: SnapshotFigures, last: SnapshotFigures | null): void {
  if (last === null || figures.rows <= last.rows * growthToNote) return
  tally.addNotices('grew to more than twice the rows', 1, [`${last.rows} to ${figures.rows}`])
}
