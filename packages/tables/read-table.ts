import { storableText } from '@baize/names'
import { delimiters, type FileForm, type FormOf } from './description/file-forms.ts'
import type { Columns, TableDescription } from './description/table-schema.ts'
import { type Cells, conditionOf, plainWordSet } from './fields/read-fields.ts'
import { extractParts } from './formats/extract-parts.ts'
import { readHtmlRows } from './formats/read-html.ts'
import { readJsonRows } from './formats/read-json.ts'
import { readPdfRows } from './formats/read-pdf.ts'
import { readHostRows, readTextRows } from './formats/read-text.ts'
import { readXlsxRows } from './formats/read-xlsx.ts'
import { readXmlRows } from './formats/read-xml.ts'
import { rowsOfCells, wideColumns } from './formats/row-per-cell.ts'
import { unzip } from './formats/unzip.ts'
import { Refusal, type SourceFile } from './source/source-file.ts'
import {
  type Layout,
  plain,
  readRecords,
  rowsBelowHeader,
  type TableRow,
  titleRowsMaxDefault,
} from './source/source-table.ts'

/** A row has cells named after `columns`. `line` is the line, sheet row or array item, counted from 1. */
export type TableReading<Name extends string = string> =
  | TableRow<Name>
  /** A row that `leave_out` excludes. */
  | { kind: 'left_out'; line: number; published: string }

/** The notice for a list that prints a higher number than was read. */
export const incompleteNotice = 'fewer rows than the file states'

type DescriptionOf<Name extends string> = TableDescription & { columns: Record<Name, Columns[string]> }

/**
 * Reads the files of one list, its pages in order, into rows of cleaned cells. `printed` lists known
 * headers without a column. Throws a Refusal for a file that does not match the description.
 */
export async function* readTable<Name extends string>(
  files: readonly SourceFile[],
  { file, columns, row_for_each = [], empty_cells, leave_out, fill_down }: DescriptionOf<Name>,
  printed: readonly string[] = [],
): AsyncGenerator<TableReading<Name>, void> {
  const emptyCells = plainWordSet(empty_cells)
  const isLeftOut = leave_out === undefined ? () => false : conditionOf(leave_out)
  const filled = fillDown(fill_down)
  for await (const row of readRows(files, file, { columns, wide: row_for_each }, printed)) {
    if (row.kind !== 'row') {
      yield row
      continue
    }
    const { line } = row
    const cells = cleanCells(row.cells, emptyCells)
    if (isLeftOut(cells)) yield { kind: 'left_out', line, published: filledCells(cells) }
    else yield { kind: 'row', line, cells: filled(cells) as Record<Name, string> }
  }
}

export const filledCells = (cells: Cells) =>
  Object.values(cells)
    .filter(cell => cell !== '')
    .join(' | ')

/** Makes cells storable in a database. Marks for an empty cell become ''. */
function cleanCells(cells: Cells, emptyCells: ReadonlySet<string>): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, cell] of Object.entries(cells)) {
    const text = storableText(cell).trim()
    clean[name] = emptyCells.size > 0 && emptyCells.has(plain(text)) ? '' : text
  }
  return clean
}

/**
 * Fills these columns from the row above, in rows where all of them are empty: the further rows of a group.
 * A row with some of them begins a new group, whose other columns are unknown.
 */
function fillDown(
  columns: readonly string[] | undefined,
): (cells: Record<string, string>) => Record<string, string> {
  if (columns === undefined) return cells => cells
  let above: Record<string, string> = {}
  return cells => {
    if (columns.every(column => (cells[column] ?? '') === '')) return { ...cells, ...above }
    above = Object.fromEntries(columns.map(column => [column, cells[column] ?? '']))
    return cells
  }
}

async function* readRows(
  files: readonly SourceFile[],
  form: FileForm,
  { columns, wide }: { columns: Columns; wide: readonly string[] },
  printed: readonly string[],
): AsyncGenerator<TableRow<string>, void> {
  const filesMax = form.pages_max ?? 1
  if (files.length === 0 || files.length > filesMax) {
    const expected = filesMax === 1 ? 'one file' : `one to ${filesMax} files`
    throw new Refusal(`expected ${expected}, found ${files.length}`)
  }
  const reported = new Set(printed.map(plain))
  const total = new PrintedTotal()
  for (const given of files) {
    const file = form.zip === undefined ? given : await unzip(given, form.zip)
    let rows = 0
    const found = rowsOf(file, form, wideColumns(columns, wide), total)
    const cells = wide.length === 0 ? found : rowsOfCells(found, columns, wide)
    for await (const row of extractParts(file, cells, columns)) {
      if (row.kind === 'unknown_column') {
        if (reported.has(plain(row.name))) continue
        reported.add(plain(row.name))
      }
      if (row.kind === 'row') {
        readElse(row.cells, columns)
        if (isNoRow(row.cells, form)) {
          yield* noRow(form.rows_with, row.cells)
          continue
        }
        rows += 1
      }
      yield row
    }
    total.rows += rows
    if ('rows_with' in form && rows === 0)
      throw new Refusal(`"${file.name}": expected rows with the column ${form.rows_with}, found none`)
  }
  yield* total.notices()
}

/** Compares the number of rows that the files print with the number that was read. */
class PrintedTotal {
  rows = 0
  #printed: number | null | undefined

  add(count: number | null): void {
    this.#printed = Math.max(count ?? 0, this.#printed ?? 0) || null
  }

  *notices(): Generator<{ kind: 'notice'; notice: string; published: string }, void> {
    if (this.#printed === null)
      yield { kind: 'notice', notice: 'the file does not state its number of rows', published: '' }
    else if (this.#printed !== undefined && this.#printed > this.rows) {
      const published = `the file states ${this.#printed}, ${this.rows} were read`
      yield { kind: 'notice', notice: incompleteNotice, published }
    }
  }
}

/** Reads an empty cell from the column that its `else` names. */
function readElse(cells: Record<string, string>, columns: Columns): void {
  for (const [name, { else: other }] of Object.entries(columns))
    if (other !== undefined && cells[name]?.trim() === '') cells[name] = cells[other] ?? ''
}

/** Reports what an element has that is no row. An empty one has nothing to report. */
function* noRow(column: string, cells: Cells): Generator<TableRow<string>, void> {
  const published = filledCells(cells)
  if (published !== '')
    yield { kind: 'notice', notice: `an element without "${column}" is no row`, published }
}

const isNoRow = (cells: Cells, form: FileForm): form is FormOf<'html'> & { rows_with: string } =>
  'rows_with' in form && form.rows_with !== undefined && cells[form.rows_with]?.trim() === ''

function rowsOf(
  file: SourceFile,
  form: FileForm,
  columns: Columns,
  total: PrintedTotal,
): AsyncGenerator<TableRow<string>, void> {
  switch (form.format) {
    case 'csv':
    case 'tsv':
      return readCsvRows(file, form, columns)
    case 'xlsx':
      return readXlsxRows(file, form, columns)
    case 'xml':
      return readXmlRows(file, form, columns)
    case 'json':
      return readJsonRows(file, form, columns)
    case 'html':
      return readHtmlRows(file, form, columns, count => total.add(count))
    case 'pdf':
      return readPdfRows(file, form, columns)
    case 'text':
      return readTextRows(file, form, columns)
    case 'hosts':
      return readHostRows(file, form, columns)
  }
}

async function* readCsvRows(
  file: SourceFile,
  form: FormOf<'csv'> | FormOf<'tsv'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const delimiter = form.format === 'tsv' ? delimiters.tab : delimiters[form.delimiter ?? 'comma']
  const records = readRecords(file, { encoding: form.encoding ?? 'utf-8', delimiter })
  const titleRowsMax = form.title_rows_max ?? titleRowsMaxDefault
  const headerRows = form.header_rows ?? 1
  yield* rowsBelowHeader(file.name, records, layout, { titleRowsMax, headerRows, delimiter })
}
