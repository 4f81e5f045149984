/** Reads the rows of a sheet as a person sees them. Few rows are in memory at a time. */
import { rowCharactersMax, type TableRecord } from '../source/source-table.ts'
import { type MergedCells, placeOf, readMergedCells } from './merged-cells.ts'
import { isShown, type Sheet, type Workbook } from './workbook.ts'
import { type Attributes, isOn, readPart, unescaped } from './workbook-xml.ts'

/**
 * Limits columns with a value. Formatted cells without one do not count, because many sheets have them far
 * beyond their table.
 */
const columnsMax = 1_000
/** Limits rows times columns, with empty cells, and merged cells that reach into a row. */
const cellsMax = 10_000_000

export class SheetRows {
  readonly #workbook: Workbook
  readonly #part: string
  hiddenRows = 0

  constructor(workbook: Workbook, sheet: Sheet) {
    this.#workbook = workbook
    this.#part = sheet.part
  }

  /** Returns rows with a value. A row is as wide as the widest row so far. */
  async *records(): AsyncGenerator<TableRecord, void> {
    const merged = await readMergedCells(this.#workbook, this.#part)
    let width = 0
    let cellsLeft = cellsMax
    for await (const { number, cells, isHidden } of this.#rows()) {
      while (cells.length < width) cells.push('')
      width = cells.length
      cellsLeft -= width + merged.openCount
      if (cellsLeft < 0) this.#refuse(number, `reaches beyond ${cellsMax} cells, which is the limit`)
      const record = recordOf(number, cells, merged)
      if (record === null) continue
      if (cells.reduce((sum, cell) => sum + cell.length, 0) > rowCharactersMax)
        this.#refuse(number, `is longer than ${rowCharactersMax} characters`)
      if (isHidden) this.hiddenRows += 1
      yield record
    }
  }

  async *#rows(): AsyncGenerator<Row, void> {
    const reader = new RowReader(this.#workbook, (row, problem) => this.#refuse(row, problem))
    for await (const _ of readPart(this.#workbook.archive, this.#part, reader)) yield* reader.take()
  }

  #refuse(row: number, problem: string): never {
    return this.#workbook.archive.refuse(`has a part ${this.#part} whose row ${row} ${problem}`)
  }
}

function recordOf(line: number, cells: string[], merged: MergedCells): TableRecord | null {
  const merges = merged.fill(line, cells)
  return merges === null ? null : { line, cells, ...merges }
}

type Row = { number: number; cells: string[]; isHidden: boolean }
type Cell = { column: number; type: string; style: number; text: string }

class RowReader {
  readonly #workbook: Workbook
  readonly #refuse: (row: number, problem: string) => never
  #ready: Row[] = []
  #row: Row = { number: 0, cells: [], isHidden: false }
  #cell: Cell = { column: -1, type: 'n', style: 0, text: '' }

  constructor(workbook: Workbook, refuse: (row: number, problem: string) => never) {
    this.#workbook = workbook
    this.#refuse = refuse
  }

  take(): Row[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  open = (name: string, attributes: Attributes): void => {
    if (name === 'row') this.#openRow(attributes)
    if (name === 'c') this.#openCell(attributes)
  }

  text = (content: string, around: readonly string[]): void => {
    if (around.at(-1) !== 'v' && !isShown(around)) return
    this.#cell.text += content
    if (this.#cell.text.length > rowCharactersMax)
      this.#refuse(this.#row.number, `is longer than ${rowCharactersMax} characters`)
  }

  close = (name: string): void => {
    if (name === 'c') this.#closeCell()
    if (name === 'row' && this.#row.cells.length > 0) this.#ready.push(this.#row)
  }

  /** Opens a row. A row without a number follows the previous row. */
  #openRow({ r, hidden }: Attributes): void {
    const before = this.#row.number
    const number = r === undefined ? before + 1 : (placeOf(`A${r}`)?.row ?? 0)
    if (number <= before) this.#refuse(before, `is followed by the row "${shortened(r ?? '')}"`)
    this.#row = { number, cells: [], isHidden: isOn(hidden) }
    this.#cell.column = -1
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    const column = r === undefined ? this.#cell.column + 1 : placeOf(r)?.column
    if (column === undefined)
      this.#refuse(this.#row.number, `has a cell at "${shortened(r ?? '')}", which is outside of a sheet`)
    this.#cell = { column, type: t, style: Number(s), text: '' }
  }

  #closeCell(): void {
    const { column } = this.#cell
    const value = this.#shown(this.#cell)
    if (value === '') return
    if (column >= columnsMax)
      this.#refuse(
        this.#row.number,
        `has a value in column ${column + 1}; at most ${columnsMax} are accepted`,
      )
    const { cells } = this.#row
    while (cells.length <= column) cells.push('')
    cells[column] = value
  }

  #shown({ type, style, text }: Cell): string {
    switch (type) {
      case 's':
        if (text === '') return ''
        return (
          this.#workbook.sharedTexts[Number(text)] ??
          this.#refuse(this.#row.number, 'has a text that the workbook lacks')
        )
      case 'b':
        return isOn(text) ? 'TRUE' : 'FALSE'
      case 'd':
        return instantOf(text)
      case 'e':
        return ''
      case 'n':
        return this.#workbook.numbers.shown(text, style)
      default:
        return unescaped(text)
    }
  }
}

const shortened = (text: string) => text.slice(0, 20)

/** Reads a date cell as UTC, because dates of a sheet have no zone. */
function instantOf(text: string): string {
  const time = Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
