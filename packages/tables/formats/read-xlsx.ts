import type { FormOf } from '../description/file-forms.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import {
  hasHeader,
  type Layout,
  rowsBelowHeader,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import { SheetRows } from './sheet-rows.ts'
import { openWorkbook, type Sheet } from './workbook.ts'

const sheetsComparedMax = 100
const sheetsNamedMax = 20

export async function* readXlsxRows(
  file: SourceFile,
  form: FormOf<'xlsx'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const workbook = await openWorkbook(file)
  const sheet = chosenSheet(file.name, workbook.sheets, form.sheet ?? 1)
  const range = {
    titleRowsMax: form.title_rows_max ?? titleRowsMaxDefault,
    headerRows: form.header_rows ?? 1,
  }
  const rows = new SheetRows(workbook, sheet)
  yield* rowsBelowHeader(file.name, rows.records(), layout, { ...range, hasPlaces: true })
  if (rows.hiddenRows > 0) yield notice('hidden rows of the sheet are read', String(rows.hiddenRows))
  const others = workbook.sheets.filter(other => other !== sheet)
  for (const other of others.slice(0, sheetsComparedMax)) {
    const records = new SheetRows(workbook, other).records()
    if (await hasHeader(file.name, records, layout, range))
      yield notice('another sheet with these columns is not read', shownName(other))
  }
}

const notice = (text: string, published: string): TableRow<string> => ({
  kind: 'notice',
  notice: text,
  published,
})

const shownName = ({ name, isHidden }: Sheet) => `${JSON.stringify(name)}${isHidden ? ' (hidden)' : ''}`

/** A hidden sheet is found neither by its name nor by its number. */
function chosenSheet(fileName: string, sheets: readonly Sheet[], wanted: number | string): Sheet {
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const chosen =
    typeof wanted === 'number' ? visible[wanted - 1] : visible.find(({ name }) => name === wanted)
  if (chosen !== undefined) return chosen
  const found = sheets.slice(0, sheetsNamedMax).map(shownName).join(', ') || 'none'
  throw new Refusal(
    `"${fileName}": expected the sheet ${JSON.stringify(wanted)}, found ${found.slice(0, 400)}`,
  )
}
