import type { Cells } from './row-fields.ts'

/**
 * Fills these columns from the row above, in rows where all of them are empty: the further rows of a group. A
 * row that has some of them is a new group, in which nothing is known of the others.
 */
export function fillDown(columns: readonly string[] | undefined): (cells: Cells) => Cells {
  if (columns === undefined) return cells => cells
  let above: Record<string, string> = {}
  return cells => {
    if (columns.every(column => (cells[column] ?? '') === '')) return { ...cells, ...above }
    above = Object.fromEntries(columns.map(column => [column, cells[column] ?? '']))
    return cells
  }
}
