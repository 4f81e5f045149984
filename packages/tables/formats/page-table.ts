/** Reads the table of a PDF. The position of a text below the headers decides its column. */
import { hasColumns, type Layout, plain, type TableRecord } from '../source/source-table.ts'
import type { PageLine } from './join-fragments.ts'

export const textOfLine = (line: PageLine) => line.map(fragment => fragment.text).join(' ')

export class PageTable {
  readonly #layout: Layout<string>
  readonly #begins: readonly string[]
  #columns: PageColumns | null = null
  #row: TableRecord | null = null

  /** Takes `begins`, the column that only the first line of a row fills. Without it each line is a row. */
  constructor(layout: Layout<string>, begins: string | undefined) {
    this.#layout = layout
    this.#begins = (begins === undefined ? [] : (layout[begins]?.headers ?? [])).map(plain)
  }

  /**
   * Returns the lines above the header unchanged, the header, and then rows with a cell for each of its
   * columns.
   */
  async *records(lines: Iterable<{ number: number; line: PageLine }>): AsyncGenerator<TableRecord, void> {
    for (const { number, line } of lines) {
      const texts = line.map(fragment => fragment.text)
      if (hasColumns(texts, this.#layout)) {
        yield* this.#end()
        // Each page may repeat the header with its columns in other positions.
        this.#columns = new PageColumns(line, this.#begins)
        yield { line: number, cells: texts }
      } else if (this.#columns === null) yield { line: number, cells: texts }
      else yield* this.#add(number, this.#columns.cellsOf(line), this.#columns.firstPlace)
    }
    yield* this.#end()
  }

  *#add(number: number, cells: string[], firstPlace: number): Generator<TableRecord, void> {
    const row = this.#row
    if (row === null || firstPlace < 0 || cells[firstPlace] !== '') {
      yield* this.#end()
      this.#row = { line: number, cells }
    } else
      for (const [place, cell] of cells.entries())
        row.cells[place] = [row.cells[place], cell].filter(text => text !== '').join('\n')
  }

  *#end(): Generator<TableRecord, void> {
    if (this.#row !== null) yield this.#row
    this.#row = null
  }
}

class PageColumns {
  /** The index of the column that begins a row; -1 if there is none. */
  readonly firstPlace: number
  /** The left ends of all columns but the first. */
  readonly #borders: number[]

  constructor(header: PageLine, begins: readonly string[]) {
    this.firstPlace = header.findIndex(({ text }) => begins.includes(plain(text)))
    // A border is half way between two headers, because a header may be centred above cells that are not.
    this.#borders = header.slice(1).map(({ left }, index) => ((header[index]?.right ?? left) + left) / 2)
  }

  cellsOf(line: PageLine): string[] {
    const cells: string[] = new Array(this.#borders.length + 1).fill('')
    for (const { text, left } of line) {
      const place = this.#borders.filter(border => border <= left).length
      cells[place] = cells[place] === '' ? text : `${cells[place]} ${text}`
    }
    return cells
  }
}
