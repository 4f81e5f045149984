import {
  type Layout,
  readRecords,
  rowsBelowHeader,
  type TableRow,
  titleRowsMaxDefault,
} from '../source/source-table.ts'
import type { SourceFile } from '../stream.ts'
import { delimiters, type FormOf } from './description-schema.ts'

export async function* readCsvRows(
  file: SourceFile,
  form: FormOf<'csv'> | FormOf<'tsv'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const delimiter = form.format === 'tsv' ? delimiters.tab : delimiters[form.delimiter ?? 'comma']
  const records = readRecords(file, { encoding: form.encoding ?? 'utf-8', delimiter })
  const titleRowsMax = form.title_rows_max ?? titleRowsMaxDefault
  yield* rowsBelowHeader(file.name, records, layout, { titleRowsMax, delimiter })
}
