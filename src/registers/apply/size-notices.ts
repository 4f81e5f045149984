import type { Figures } from '../snapshot/figures.ts'
import type { Tally } from '../snapshot/tally.ts'
import type { Stream } from '../stream.ts'

/** Rejected rows count too. */
export function noteFewRows(tally: Tally, { rowsComplete }: Stream, rows: number): void {
  if (rows >= rowsComplete) return
  tally.addNotices(`fewer rows than a complete snapshot has (${rowsComplete})`, 1, [String(rows)])
}

const growthToNote = 2

/** Growth is only a notice, since real lists double. */
export function noteGrowth(tally: Tally, figures: Figures, last: Figures | null): void {
  if (last === null || figures.rows <= last.rows * growthToNote) return
  tally.addNotices('grew to more than twice the rows', 1, [`${last.rows} to ${figures.rows}`])
}
