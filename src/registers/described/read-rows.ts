import { type Layout, plain, type TableRow } from '../source/source-table.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { Columns } from './description-schema.ts'
import { extractParts } from './extract-parts.ts'
import type { FileForm } from './file-forms.ts'
import { readCsvRows } from './read-csv.ts'
import { readHtmlRows } from './read-html.ts'
import { readJsonRows } from './read-json.ts'
import { readPdfRows } from './read-pdf.ts'
import { readTextRows } from './read-text.ts'
import { readXlsxRows } from './read-xlsx.ts'
import { readXmlRows } from './read-xml.ts'

/** Cells are named after `columns`. `line` is the line, sheet row or array item, from 1. */
export type DescribedRow = TableRow<string>

/** Several files are the pages of one list, in order. `printed`: headers that are known and need no column. */
export async function* readRows(
  files: readonly SourceFile[],
  form: FileForm,
  columns: Columns,
  printed: readonly string[] = [],
): AsyncGenerator<DescribedRow, void> {
  const filesMax = form.pages_max ?? 1
  if (files.length === 0 || files.length > filesMax) {
    const expected = filesMax === 1 ? 'one file' : `one to ${filesMax} files`
    throw new Refusal(`expected ${expected}, found ${files.length}`)
  }
  const reported = new Set(printed.map(plain))
  for (const file of files)
    for await (const row of extractParts(file, rowsOf(file, form, columns), columns)) {
      if (row.kind === 'unknown_column') {
        if (reported.has(plain(row.name))) continue
        reported.add(plain(row.name))
      }
      yield row
    }
}

function rowsOf(file: SourceFile, form: FileForm, columns: Columns): AsyncGenerator<DescribedRow, void> {
  const layout = layoutOf(columns)
  switch (form.format) {
    case 'csv':
    case 'tsv':
      return readCsvRows(file, form, layout)
    case 'xlsx':
      return readXlsxRows(file, form, layout)
    case 'xml':
      return readXmlRows(file, form, layout)
    case 'json':
      return readJsonRows(file, form, layout)
    case 'html':
      return readHtmlRows(file, form, columns)
    case 'pdf':
      return readPdfRows(file, form, layout)
    case 'text':
      return readTextRows(file, form, layout)
  }
}

function layoutOf(columns: Columns): Layout<string> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { headers, optional }]) => [
      name,
      { names: headers, ...(optional === true ? { optional } : {}) },
    ]),
  )
}
