import { createHash } from 'node:crypto'
import type { TableReading } from '@baize/tables'
import type { Notice, Reading, Reject, RejectReason } from '../stream.ts'

/** The notice for a column that the layout lacks. The guard compares it. */
export const unknownColumnNotice = 'unknown column'

/** The notice for a file in a mirror's form. The comparison with the last snapshot reads it. */
export const mirrorNotice = "read in a mirror's form"

/** Cuts published text in reports, because cells are unlimited. 500 characters suffice to find the row. */
const publishedCharactersMax = 500
/** Limits a key to 1,500 bytes, because PostgreSQL indexes at most about 2,700 bytes a value. */
const keyCharactersMax = 500

export function reject(reason: RejectReason, line: number, published: string): Reject {
  return { record: 'reject', reason, line, published: published.trim().slice(0, publishedCharactersMax) }
}

export function readingNotice(text: string, published: string): Notice {
  return { record: 'notice', notice: text, published: published.trim().slice(0, publishedCharactersMax) }
}

/** Passes on the readings of a mirror's file after a notice that marks them. */
export async function* ofMirror(
  name: string,
  readings: AsyncIterable<Reading>,
): AsyncGenerator<Reading, void> {
  yield readingNotice(mirrorNotice, name)
  yield* readings
}

/** Notes a value that the description excludes. */
export const leftOut = (published: string) => readingNotice('left out, as the description says', published)

export function unusable(row: Exclude<TableReading, { kind: 'row' }>): Reject | Notice {
  switch (row.kind) {
    case 'unknown_column':
      return readingNotice(unknownColumnNotice, row.name)
    case 'notice':
      return readingNotice(row.notice, row.published)
    case 'left_out':
      return leftOut(row.published)
    case 'misshapen':
      return reject('unparsable', row.line, row.published)
  }
}

/** Shortens a long record key to its beginning and a hash of the whole. */
export function boundedRecordKey(key: string): string {
  if (key.length <= keyCharactersMax) return key
  return `${key.slice(0, keyCharactersMax - 65)}#${createHash('sha256').update(key).digest('hex')}`
}
