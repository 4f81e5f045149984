/** Repeats merged cells of a sheet in each row and column that they cover, as a person sees them. */
import type { Workbook } from './workbook.ts'
import { readWholePart } from './workbook-xml.ts'

const mergedMax = 100_000
const rowsMax = 1_048_576
const columnsMax = 16_384

type Merged = { top: number; bottom: number; left: number; right: number; text: string }

/**
 * The merges in a row. `continues` has the columns that repeat the column on their left. A title is the
 * only cell of its row, merged across columns.
 */
type RowMerges = { continues: ReadonlySet<number>; isTitle: boolean }

export class MergedCells {
  /** The merged cells that begin in later rows, the last one first. */
  readonly #below: Merged[]
  #open: Merged[] = []

  constructor(merged: readonly Merged[]) {
    this.#below = merged.toSorted((one, other) => other.top - one.top)
  }

  /** Counts the merged cells that reach into the next rows. */
  get openCount(): number {
    return this.#open.length
  }

  /**
   * Repeats merged texts in a row, or returns null for a row without other values. Call it for rows in
   * order.
   */
  fill(row: number, cells: string[]): RowMerges | null {
    this.#open = this.#open.filter(({ bottom }) => bottom >= row)
    for (const merged of this.#open) put(cells, merged, '')
    if (cells.every(cell => cell === '')) return null
    const isTitle = this.#begin(row, cells)
    const continues = new Set<number>()
    for (const merged of this.#open) {
      put(cells, merged, merged.text)
      const right = Math.min(merged.right, cells.length - 1)
      for (let column = merged.left + 1; column <= right; column += 1) continues.add(column)
    }
    return { continues, isTitle }
  }

  /**
   * Opens the merged cells that begin in this row. Returns true if one across several columns has all of
   * the row's text.
   */
  #begin(row: number, cells: readonly string[]): boolean {
    let isTitle = false
    for (let next = this.#below.at(-1); next !== undefined && next.top <= row; next = this.#below.at(-1)) {
      this.#below.pop()
      const { left, right, top, bottom } = next
      if (bottom < row) continue
      const text = top === row ? (cells[left] ?? '') : ''
      this.#open.push({ ...next, text })
      const isBlankAround = cells.every((cell, column) => cell === '' || (column >= left && column <= right))
      isTitle ||= right > left && text !== '' && isBlankAround
    }
    return isTitle
  }
}

function put(cells: string[], { left, right }: Merged, text: string): void {
  for (let column = left; column <= right && column < cells.length; column += 1) cells[column] = text
}

export async function readMergedCells({ archive }: Workbook, part: string): Promise<MergedCells> {
  const merged: Merged[] = []
  await readWholePart(archive, part, {
    open(name, { ref = '' }) {
      if (name !== 'mergeCell') return
      const [first, last] = ref.split(':').map(placeOf)
      if (first?.row && last?.row)
        merged.push({ top: first.row, bottom: last.row, left: first.column, right: last.column, text: '' })
      if (merged.length > mergedMax)
        archive.refuse(`has more than ${mergedMax} merged cells in the part ${part}`)
    },
  })
  return new MergedCells(merged)
}

/** Reads `B7` as row 7, column 1. Returns null for a place outside of a sheet. */
export function placeOf(text: string): { row: number; column: number } | null {
  const match = /^([A-Z]{1,3})(\d{1,7})$/.exec(text)
  if (match === null) return null
  const column = [...(match[1] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  const row = Number(match[2])
  return row > 0 && row <= rowsMax && column <= columnsMax ? { row, column: column - 1 } : null
}
