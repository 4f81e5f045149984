/** Reads a wide table, such as one with a column for each kind of license, as a row for each filled cell. */

import type { Columns } from '../description/table-schema.ts'
import type { TableRow } from '../source/source-table.ts'

/** What a column with `each` can read, as the only entry of its `headers`. */
export const cellParts = ['cell', 'header']

/** Names the cell below a header of `row_for_each`. No name in a description has a blank. */
const nameOf = (index: number) => `each ${index}`

/** Returns the columns to read from the file: one for each header in place of those with `each`. */
export function wideColumns(columns: Columns, headers: readonly string[]): Columns {
  const own = Object.entries(columns).filter(([, { each }]) => each !== true)
  const wide = headers.map((header, index) => [nameOf(index), { headers: [header] }] as const)
  return Object.fromEntries([...own, ...wide])
}

/** Yields a row for each filled cell below the headers, and one with empty cells if none is filled. */
export async function* rowsOfCells(
  rows: AsyncGenerator<TableRow<string>, void>,
  columns: Columns,
  headers: readonly string[],
): AsyncGenerator<TableRow<string>, void> {
  const own = Object.keys(columns).filter(name => columns[name]?.each !== true)
  const parts = Object.keys(columns).filter(name => columns[name]?.each === true)
  for await (const row of rows) {
    if (row.kind !== 'row') {
      yield row
      continue
    }
    const { line, cells } = row
    const wide = headers.map((header, index) => ({ header, cell: cells[nameOf(index)] ?? '' }))
    const filled = wide.filter(({ cell }) => cell.trim() !== '')
    for (const { header, cell } of filled.length > 0 ? filled : [{ header: '', cell: '' }]) {
      const named = Object.fromEntries(own.map(name => [name, cells[name] ?? '']))
      for (const name of parts) named[name] = columns[name]?.headers[0] === 'header' ? header : cell
      yield { kind: 'row', line, cells: named }
    }
  }
}
