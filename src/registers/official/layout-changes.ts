import type { SyncReport } from '../apply/sync-report.ts'
import { unknownColumnNotice } from '../source/readings.ts'
import { plain } from '../source/source-table.ts'
import type { Stream } from '../stream.ts'

/** What the columns of a file have that the recorded official layout lacks. Nothing is known without a record. */
export function layoutChanges({ official }: Stream, unknownColumns: readonly string[]): string[] {
  if (official.columns.length === 0) return []
  const recorded = new Set(official.columns.map(plain))
  return unknownColumns.filter(column => !recorded.has(plain(column))).map(column => `new column: ${column}`)
}

export function unknownColumnsOf({ notices }: Pick<SyncReport, 'notices'>): string[] {
  return notices.find(each => each.notice === unknownColumnNotice)?.examples ?? []
}
