/** read-excel-file gets only parts that were unpacked within bounds and checked. */
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal'
import {
  type Layout,
  rowCharactersMax,
  rowsBelowHeader,
  type TableRecord,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import { kindByMagic } from '../source/source-text.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import { checkWorkbook } from './check-workbook.ts'
import type { FormOf } from './file-forms.ts'
import { unzipParts, zipParts } from './workbook-parts.ts'

const packedBytesMax = 64 * 1024 * 1024

type Cell = string | number | boolean | Date | null

export async function* readXlsxRows(
  file: SourceFile,
  form: FormOf<'xlsx'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const parts = await unzipParts(file.name, await workbookBytes(file))
  checkWorkbook(file.name, parts)
  const rows = await sheetRows(file.name, zipParts(parts), form.sheet ?? 1)
  const titleRowsMax = form.title_rows_max ?? titleRowsMaxDefault
  const headerRows = form.header_rows ?? 1
  yield* rowsBelowHeader(file.name, records(file.name, rows), layout, { titleRowsMax, headerRows })
}

async function workbookBytes(file: SourceFile): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of file.open()) {
    if (bytes === 0) refuseOtherKind(file.name, piece)
    bytes += piece.length
    if (bytes > packedBytesMax) {
      throw new Refusal(
        `"${file.name}" is larger than ${packedBytesMax / 1024 / 1024} MiB, the limit for a workbook`,
      )
    }
    pieces.push(piece)
  }
  if (bytes === 0) throw new Refusal(`"${file.name}" is empty`)
  return Buffer.concat(pieces)
}

/** A spreadsheet reader can mistake an error page for a table. */
function refuseOtherKind(name: string, start: Uint8Array): void {
  if (start[0] === 0x50 && (start.length < 2 || start[1] === 0x4b)) return
  const opening = new TextDecoder().decode(start.subarray(0, 60)).trim().replaceAll(/\s+/g, ' ')
  const found = kindByMagic(start) ?? JSON.stringify(opening)
  throw new Refusal(`"${name}": expected an xlsx workbook, found ${found}`)
}

async function sheetRows(name: string, workbook: Buffer, sheet: number | string): Promise<Cell[][]> {
  try {
    const workbookBlob = new Blob([new Uint8Array(workbook)])
    // Numbers stay as written: a license number is not a quantity. (Its types say `typeof Date` for Date.)
    return (await readSheet(workbookBlob, sheet, { parseNumber: plainNumber })) as unknown as Cell[][]
  } catch (error) {
    if (error instanceof SheetNotFoundError) {
      const { sheets: existing = [] } = error as { sheets?: string[] }
      const sheets = existing.map(each => JSON.stringify(each)).join(', ')
      throw new Refusal(
        `"${name}": expected the sheet ${JSON.stringify(sheet)}, found ${sheets.slice(0, 400)}`,
        { cause: error },
      )
    }
    const reason = error instanceof Error ? error.message.slice(0, 200) : ''
    throw new Refusal(`"${name}" is not a readable xlsx workbook: ${reason}`, { cause: error })
  }
}

/** `1.5E3` → `1500`; numbers that would be rounded stay as written. */
function plainNumber(written: string): string {
  const number = Number(written)
  return Number.isSafeInteger(number) ? String(number) : written
}

async function* records(name: string, rows: readonly Cell[][]): AsyncGenerator<TableRecord, void> {
  for (const [index, row] of rows.entries()) {
    const cells = row.map(textOf)
    if (cells.reduce((sum, cell) => sum + cell.length, 0) > rowCharactersMax)
      throw new Refusal(`"${name}": row ${index + 1} is longer than ${rowCharactersMax} characters`)
    yield { line: index + 1, cells }
  }
}

/** Dates of a sheet have no zone and are read as UTC. */
function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (!(cell instanceof Date)) return String(cell)
  return Number.isNaN(cell.getTime()) ? '' : cell.toISOString()
}
