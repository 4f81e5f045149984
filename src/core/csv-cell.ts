import { stringify } from 'csv-stringify/sync'

export type CsvCell = string | number | null

export type CsvOptions = {
  /** Puts an apostrophe before text that a spreadsheet would run. Parsers see it. */
  forSpreadsheet?: boolean
}

/** Text that begins like a formula, or has a line break: the library itself only quotes for CRLF. */
const quoted = /^[=+\-@\t\uff1d\uff0b\uff0d\uff20]|[\r\n]/

/** A negative number is not quoted: it is no formula. */
const numberCell = (value: number) =>
  value < 0 ? { value: String(value), quoted_match: null } : String(value)

/**
 * Rows in the form of RFC 4180: comma, CRLF, quotes where needed, UTF-8 without a byte order mark. A parser
 * reads exactly the values that were written; null and '' are the same empty cell. Excel runs `=…` even
 * from a quoted cell, which is what `forSpreadsheet` prevents (docs/decisions/0009).
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
