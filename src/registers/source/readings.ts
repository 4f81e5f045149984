/** How parsers say what became of a row, and how they tell that a record came twice. */
import { createHash } from 'node:crypto'
import type { Notice, Reject, RejectReason } from '../stream.ts'
import type { TableRow } from './source-table.ts'

/** The notice of a column that the layout does not know; the guard reads it too. */
export const unknownColumnNotice = 'unknown column'

/** Enough to find the row again; a cell can be as long as its file lets it. */
const publishedCharactersMax = 500
/** PostgreSQL indexes take about 2,700 bytes a value; these are at most 1,500. */
const keyCharactersMax = 500

export function reject(reason: RejectReason, line: number, published: string): Reject {
  return { record: 'reject', reason, line, published: published.trim().slice(0, publishedCharactersMax) }
}

export function notice(text: string, published: string): Notice {
  return { record: 'notice', notice: text, published: published.trim().slice(0, publishedCharactersMax) }
}

/**
 * What a table says beside its rows: a misshapen row is rejected, a column that nobody knows is worth
 * telling.
 */
export function unusable(row: Exclude<TableRow<string>, { kind: 'row' }>): Reject | Notice {
  if (row.kind === 'unknown_column') return notice(unknownColumnNotice, row.name)
  return reject('unparsable', row.line, row.published)
}

/** A record key that any index takes: a long one keeps its beginning and ends in a hash of the whole. */
export function boundedKey(key: string): string {
  if (key.length <= keyCharactersMax) return key
  return `${key.slice(0, keyCharactersMax - 65)}#${createHash('sha256').update(key).digest('hex')}`
}

/**
 * The record keys of one snapshot. It holds every key until the snapshot is read; the rows themselves pass
 * by. Measured on 1,000,000 rows: 70 bytes a row for host names, 170 for keys with a time behind the name.
 */
export class RecordKeys {
  readonly #seen = new Set<string>()

  /** True for the first row with this key, false for each one after it. */
  claim(key: string): boolean {
    const before = this.#seen.size
    return this.#seen.add(key).size > before
  }
}
