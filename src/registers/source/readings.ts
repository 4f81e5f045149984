import { createHash } from 'node:crypto'
import type { Notice, Reading, Reject, RejectReason } from '../stream.ts'
import type { TableRow } from './source-table.ts'

/** The notice for a column that the layout does not contain; the guard reads it. */
export const unknownColumnNotice = 'unknown column'

/** The notice for a file in the form of a mirror; the comparison with the last snapshot reads it. */
export const mirrorNotice = "read in a mirror's form"

/** Enough to find the row again; cells have no bound. */
const publishedCharactersMax = 500
/** PostgreSQL indexes at most about 2,700 bytes a value; these have at most 1,500. */
const keyCharactersMax = 500

export function reject(reason: RejectReason, line: number, published: string): Reject {
  return { record: 'reject', reason, line, published: published.trim().slice(0, publishedCharactersMax) }
}

export function notice(text: string, published: string): Notice {
  return { record: 'notice', notice: text, published: published.trim().slice(0, publishedCharactersMax) }
}

/** What a reader of a mirror's form reads, marked as that. */
export async function* ofMirror(
  name: string,
  readings: AsyncIterable<Reading>,
): AsyncGenerator<Reading, void> {
  yield notice(mirrorNotice, name)
  yield* readings
}

export function unusable(row: Exclude<TableRow<string>, { kind: 'row' }>): Reject | Notice {
  if (row.kind === 'unknown_column') return notice(unknownColumnNotice, row.name)
  return reject('unparsable', row.line, row.published)
}

/** Shortens a long record key to its beginning and a hash of the whole. */
export function boundedKey(key: string): string {
  if (key.length <= keyCharactersMax) return key
  return `${key.slice(0, keyCharactersMax - 65)}#${createHash('sha256').update(key).digest('hex')}`
}

/** The record keys of one snapshot, in memory: 70 to 170 bytes a row (measured on 1,000,000 rows). */
export class RecordKeys {
  readonly #seen = new Set<string>()

  /** True only for the first row with this key. */
  claim(key: string): boolean {
    const before = this.#seen.size
    return this.#seen.add(key).size > before
  }
}
