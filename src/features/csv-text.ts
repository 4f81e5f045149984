import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { Attachment } from '../core/session-operation.ts'

export type CsvCell = string | number | null

export type CsvOptions = {
  /** Puts an apostrophe before text that a spreadsheet would run. Parsers read the apostrophe too. */
  forSpreadsheet?: boolean
}

/** Matches text to quote: the start of a formula, or a line break. The library quotes for CRLF only. */
const quoted = /^[=+\-@\t\uff1d\uff0b\uff0d\uff20]|[\r\n]/

/** A negative number is not quoted, because it is not a formula. */
const numberCell = (value: number) =>
  value < 0 ? { value: String(value), quoted_match: null } : String(value)

/**
 * Writes rows in the form of RFC 4180: comma, CRLF, quotes where needed, UTF-8 without a byte order mark.
 * Parsers read exactly the written values; null and '' are the same empty cell. Excel runs `=…` even from a
 * quoted cell, which `forSpreadsheet` prevents (docs/decisions/0009).
 */
export function csvText(
  rows: readonly (readonly CsvCell[])[],
  { forSpreadsheet = false }: CsvOptions = {},
): string {
  return stringify(rows as CsvCell[][], {
    record_delimiter: 'windows',
    quoted_match: quoted,
    cast: { number: numberCell },
    escape_formulas: forSpreadsheet,
  })
}

type Write = (text: string) => Promise<void>

/** Sends a CSV file at the speed of its reader. Writing stops when the reader disconnects. */
export function csvAttachment(fileName: string, work: (write: Write) => Promise<void>): Attachment {
  const stream = new PassThrough()
  const left = new AbortController()
  stream.once('close', () => left.abort())
  const write: Write = async text => {
    left.signal.throwIfAborted()
    if (!stream.write(text)) await once(stream, 'drain', { signal: left.signal })
  }
  work(write).then(
    () => stream.end(),
    (error: Error) => stream.destroy(left.signal.aborted ? undefined : error),
  )
  return new Attachment({ fileName, contentType: 'text/csv; charset=utf-8', stream })
}
