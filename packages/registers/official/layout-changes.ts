import { plain } from '@baize/tables'
import { unknownColumnNotice } from '../entries/index.ts'
import type { RecordTally } from '../guard/tally.ts'
import type { Stream } from '../stream.ts'

/**
 * Returns columns of a file that the recorded official layout lacks; an empty list without a recorded
 * layout.
 */
export function layoutChanges({ official }: Stream, unknownColumns: readonly string[]): string[] {
  if (official.columns.length === 0) return []
  const recorded = new Set(official.columns.map(plain))
  return unknownColumns.filter(column => !recorded.has(plain(column))).map(column => `new column: ${column}`)
}

export function unknownColumnsOf({ notices }: Pick<RecordTally, 'notices'>): string[] {
  return notices.find(each => each.notice === unknownColumnNotice)?.examples ?? []
}
