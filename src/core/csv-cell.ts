import { stringify } from 'csv-stringify/sync'

export type CsvCell = string | number | null

export type CsvOptions = {
  /**
   * A text cell that a spreadsheet would take for a formula begins with an apostrophe. That changes the text for a
   * parser, so it is for files that people open, and only when they ask for it.
   */
  forSpreadsheet?: boolean
}

/** How a cell begins that spreadsheets take for a formula; and any line break, of which the library sees CRLF alone. */
const quoted = /^[=+\-@\t\uff1d\uff0b\uff0d\uff20]|[\r\n]/

/** A number is no formula, whatever its sign. */
const numberCell = (value: number) =>
  value < 0 ? { value: String(value), quoted_match: null } : String(value)

/**
 * Rows as RFC 4180 has them: comma, CRLF, quotes where they are needed, UTF-8 without a byte order mark. A parser reads
 * exactly the values that were written; null and an empty text are the same empty cell.
 *
 * No file serves programs and spreadsheets alike: Excel runs `=…` from a quoted cell too, and whatever stops it is a
 * character that a parser reads as part of the value. So the bytes are exact unless `forSpreadsheet` is asked for. Texts
 * that begin like a formula are quoted in any case: spreadsheets that can take quoted cells as text then do. Numbers are
 * written as they are.
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
