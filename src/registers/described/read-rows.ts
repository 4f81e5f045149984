import type { Layout, TableRow } from '../source/source-table.ts'
import type { SourceFile } from '../stream.ts'
import type { Columns, FileForm } from './description-schema.ts'
import { readCsvRows } from './read-csv.ts'
import { readHtmlRows } from './read-html.ts'
import { readJsonRows } from './read-json.ts'
import { readTextRows } from './read-text.ts'
import { readXlsxRows } from './read-xlsx.ts'
import { readXmlRows } from './read-xml.ts'

/** Cells are named after `columns`. `line` is the line, sheet row or array item, from 1. */
export type DescribedRow = TableRow<string>

export function readRows(
  file: SourceFile,
  form: FileForm,
  columns: Columns,
): AsyncGenerator<DescribedRow, void> {
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
      return readHtmlRows(file, form, layout)
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
