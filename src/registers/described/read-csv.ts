import {
  type Layout,
  readRecords,
  rowsBelowHeader,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import type { SourceFile } from '../stream.ts'
import { delimiters, type FormOf } from './file-forms.ts'

export async function* readCsvRows(
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
