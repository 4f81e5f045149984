/** Checks the headers, selectors and patterns of a description that has passed checkShape. */

import { didYouMean, shown } from '@baize/names'
import { compileParts, compilePattern, compileSearch, lineColumn } from '../formats/line-pattern.ts'
import { problemOfSelector } from '../formats/page-selectors.ts'
import { splitAttribute } from '../formats/read-elements.ts'
import { cellParts } from '../formats/row-per-cell.ts'
import { plain } from '../source/source-table.ts'
import type { LocatedProblem } from './locate.ts'
import type { Columns, TableDescription } from './table-schema.ts'

export function* checkColumns(description: TableDescription): Generator<LocatedProblem> {
  yield* checkZip(description)
  yield* checkHeaders(description)
  yield* checkEach(description)
  yield* checkLines(description)
  yield* checkElements(description)
  yield* checkParts(description)
}

const value = (path: readonly string[], message: string): LocatedProblem => ({ path, at: 'value', message })
const key = (path: readonly string[], message: string): LocatedProblem => ({ path, at: 'key', message })

function* checkZip({ file }: TableDescription): Generator<LocatedProblem> {
  const compiled = file.zip === undefined ? null : compileSearch(file.zip)
  if (compiled?.ok === false)
    yield value(['file', 'zip'], `file.zip must be a regular expression: ${compiled.reason}`)
}

function* headersOf({
  columns,
}: TableDescription): Generator<[path: string[], header: string, column: string]> {
  for (const [name, { headers, each }] of Object.entries(columns))
    if (each !== true)
      for (const [index, header] of headers.entries())
        yield [['columns', name, 'headers', String(index)], header, name]
}

function* checkHeaders(description: TableDescription): Generator<LocatedProblem> {
  const { file } = description
  const isPath = file.format === 'xml' || file.format === 'json'
  const isExact = isPath || ['text', 'hosts'].includes(file.format) || isSelected(description)
  // Names of elements and members are case-sensitive; headers are not.
  const spelled = isExact ? (text: string) => text : plain
  const headers = [...headersOf(description)].map(([, header]) => header)
  if (!isExact && headers.every(header => /^#\d+$/.test(header)))
    yield key(['columns'], 'columns need a header by its name, by which the row of headers is recognised')
  const taken = new Map<string, string>()
  for (const [path, header, name] of headersOf(description)) {
    const other = taken.get(spelled(header))
    // Two columns may read one element or parts of one cell, such as a title that has a name and a number.
    const isShared = [name, other].every(each => each !== undefined && description.columns[each]?.pattern)
    if (other !== undefined && other !== name && !isSelected(description) && !isShared)
      yield value(path, `the header ${shown(header)} already belongs to the column "${other}"`)
    taken.set(spelled(header), name)
    if (isPath && !isMemberPath(header))
      yield value(path, `a header of ${file.format} must be names separated by /, found ${shown(header)}`)
  }
}

/** Columns with `each` read a cell below one of the headers of `row_for_each`, or that header. */
function* checkEach({ file, columns, row_for_each: wide }: TableDescription): Generator<LocatedProblem> {
  const parts = Object.entries(columns).filter(([, { each }]) => each === true)
  for (const [name, { headers }] of parts) {
    if (wide === undefined) yield key(['columns', name, 'each'], `columns.${name}.each needs row_for_each`)
    if (headers.length !== 1 || !headers.every(header => cellParts.includes(header)))
      yield value(
        ['columns', name, 'headers'],
        `columns.${name}.headers must be [${cellParts.join('] or [')}], because it has each`,
      )
  }
  if (wide === undefined) return
  if (parts.length === 0) yield key(['row_for_each'], 'row_for_each needs a column with each: true')
  const isTable = ['csv', 'tsv', 'xlsx'].includes(file.format) || (file.format === 'html' && !file.rows_at)
  if (!isTable) yield key(['row_for_each'], 'row_for_each needs a table: csv, tsv, xlsx or html')
  const names = Object.values(columns).flatMap(({ headers, each }) => (each === true ? [] : headers))
  for (const [index, header] of wide.entries()) {
    const others = [...names, ...wide.slice(0, index)]
    if (others.some(other => plain(other) === plain(header)))
      yield value(['row_for_each', String(index)], `the header ${shown(header)} is named twice`)
  }
}

const isMemberPath = (header: string) =>
  header === '.' || header.split('/').every(part => part !== '' && part !== '@')

const isSelected = ({ file }: TableDescription) => file.format === 'html' && file.rows_at !== undefined

/** The columns of lines are the named groups of their pattern, or the whole line. */
function* checkLines(description: TableDescription): Generator<LocatedProblem> {
  const { file } = description
  if (file.format === 'hosts') yield* checkGroups(description, [lineColumn], `"${lineColumn}"`)
  if (file.format !== 'text' && file.format !== 'pdf') return
  if (file.ignore !== undefined) {
    const ignored = compilePattern(file.ignore)
    if (!ignored.ok)
      yield value(['file', 'ignore'], `file.ignore must be a regular expression: ${ignored.reason}`)
  }
  if (file.format === 'pdf') yield* checkPdf(description)
  if (file.pattern === undefined) {
    if (file.format === 'text')
      yield* checkGroups(description, [lineColumn], `"${lineColumn}", without a pattern`)
    return
  }
  const compiled = compilePattern(file.pattern)
  if (!compiled.ok)
    yield value(['file', 'pattern'], `file.pattern must be a regular expression: ${compiled.reason}`)
  else if (compiled.value.names.length === 0)
    yield value(['file', 'pattern'], 'file.pattern must have named groups, such as (?<site>\\S+)')
  else {
    const { names } = compiled.value
    yield* checkGroups(description, names, `a group of the pattern: ${names.join(', ')}`)
  }
}

function* checkGroups(
  description: TableDescription,
  known: readonly string[],
  accepted: string,
): Generator<LocatedProblem> {
  for (const [path, header, name] of headersOf(description)) {
    if (known.includes(header)) continue
    const suggestion = didYouMean(header, known)
    yield value(path, `columns.${name}.headers must be ${accepted}; found ${shown(header)}${suggestion}`)
  }
}

function* checkPdf({ file, columns }: TableDescription): Generator<LocatedProblem> {
  if (file.format !== 'pdf') return
  if (file.row_begins_with !== undefined)
    yield* checkRowsColumn(columns, 'row_begins_with', file.row_begins_with)
  for (const name of ['row_begins_with', 'title_rows_max'] as const)
    if (file.pattern !== undefined && file[name] !== undefined)
      yield key(['file', name], `file.${name} is for a table; omit it, or file.pattern`)
}

function* checkElements(description: TableDescription): Generator<LocatedProblem> {
  const { file, columns } = description
  for (const [name, { within, above }] of Object.entries(columns)) {
    if (isSelected(description)) {
      if (within !== undefined && above === true)
        yield key(['columns', name, 'above'], `columns.${name} has above and within; omit one of them`)
      if (within !== undefined) yield* checkSelector(['columns', name, 'within'], within)
      continue
    }
    if (within !== undefined)
      yield key(['columns', name, 'within'], `columns.${name}.within needs html with file.rows_at`)
    if (above !== undefined && file.format !== 'html')
      yield key(['columns', name, 'above'], `columns.${name}.above needs html`)
  }
  if (file.format === 'json' && file.references === true && file.rows_at === undefined)
    yield key(['file', 'references'], 'file.references needs file.rows_at')
  if (file.format !== 'html') return
  if (file.rows_with !== undefined) yield* checkRowsColumn(columns, 'rows_with', file.rows_with)
  for (const name of ['ignore', 'count'] as const)
    if (file[name] !== undefined && file.rows_at === undefined)
      yield key(['file', name], `file.${name} needs file.rows_at`)
  if (file.count !== undefined) yield* checkExpression(['file', 'count'], file.count)
  for (const [path, header, name] of headersOf(description)) {
    const { selector } = splitAttribute(header)
    const isSelector = file.rows_at !== undefined || columns[name]?.above === true
    if (isSelector && selector !== '.') yield* checkSelector(path, selector)
  }
  if (file.rows_at === undefined) return
  yield* checkSelector(['file', 'rows_at'], file.rows_at)
  if (file.ignore !== undefined) yield* checkSelector(['file', 'ignore'], file.ignore)
  for (const name of ['table', 'title_rows_max', 'header_rows'] as const)
    if (file[name] !== undefined)
      yield key(['file', name], `file.${name} is for a table; omit it, or file.rows_at`)
}

function* checkRowsColumn(columns: Columns, option: string, name: string): Generator<LocatedProblem> {
  if (columns[name] !== undefined) return
  const suggestion = didYouMean(name, Object.keys(columns))
  yield value(['file', option], `"columns" has no column ${shown(name)}${suggestion}`)
}

function* checkSelector(path: string[], selector: string): Generator<LocatedProblem> {
  const problem = problemOfSelector(selector)
  if (problem !== null) yield value(path, `${path.join('.')} must be a CSS selector: ${problem}`)
}

function* checkParts({ columns }: TableDescription): Generator<LocatedProblem> {
  for (const [name, { pattern }] of Object.entries(columns))
    if (pattern !== undefined) yield* checkExpression(['columns', name, 'pattern'], pattern)
}

function* checkExpression(path: string[], expression: string): Generator<LocatedProblem> {
  const compiled = compileParts(expression)
  if (!compiled.ok) yield value(path, `${path.join('.')} must be a regular expression: ${compiled.reason}`)
}
