/** Checks the headers, selectors and patterns of a description that has passed checkShape. */

import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { plain } from '../source/source-table.ts'
import type { Description } from './description-schema.ts'
import { compileParts, compilePattern, lineColumn } from './line-pattern.ts'
import { problemOfSelector } from './page-selectors.ts'
import type { Finding } from './problems.ts'
import { splitAttribute } from './read-elements.ts'

export function* checkColumns(description: Description): Generator<Finding> {
  yield* checkHeaders(description)
  yield* checkLines(description)
  yield* checkElements(description)
  yield* checkParts(description)
}

const value = (path: readonly string[], message: string): Finding => ({ path, at: 'value', message })
const key = (path: readonly string[], message: string): Finding => ({ path, at: 'key', message })

function* headersOf({ columns }: Description): Generator<[path: string[], header: string, column: string]> {
  for (const [name, { headers }] of Object.entries(columns))
    for (const [index, header] of headers.entries())
      yield [['columns', name, 'headers', String(index)], header, name]
}

function* checkHeaders(description: Description): Generator<Finding> {
  const { file } = description
  const isPath = file.format === 'xml' || file.format === 'json'
  const isExact = isPath || file.format === 'text' || isSelected(description)
  // Names of elements and members are case-sensitive; headers are not.
  const spelled = isExact ? (text: string) => text : plain
  const taken = new Map<string, string>()
  for (const [path, header, name] of headersOf(description)) {
    const other = taken.get(spelled(header))
    // Two columns can read one element, such as a title with a name and a number.
    if (other !== undefined && other !== name && !isSelected(description))
      yield value(path, `the header ${shown(header)} already belongs to the column "${other}"`)
    taken.set(spelled(header), name)
    if (isPath && !isMemberPath(header))
      yield value(path, `a header of ${file.format} must be names separated by /, found ${shown(header)}`)
  }
}

const isMemberPath = (header: string) =>
  header === '.' || header.split('/').every(part => part !== '' && part !== '@')

const isSelected = ({ file }: Description) => file.format === 'html' && file.rows_at !== undefined

/** The columns of lines are the named groups of their pattern, or the whole line. */
function* checkLines(description: Description): Generator<Finding> {
  const { file } = description
  if (file.format !== 'text' && file.format !== 'pdf') return
  if (file.ignore !== undefined) {
    const ignored = compilePattern(file.ignore)
    if (!ignored.ok)
      yield value(['file', 'ignore'], `file.ignore must be a regular expression: ${ignored.reason}`)
  }
  if (file.format === 'pdf') yield* checkPdf(description)
  if (file.format === 'pdf' && file.pattern === undefined) return
  let known: readonly string[] = [lineColumn]
  if (file.pattern !== undefined) {
    const compiled = compilePattern(file.pattern)
    if (!compiled.ok) {
      yield value(['file', 'pattern'], `file.pattern must be a regular expression: ${compiled.reason}`)
      return
    }
    known = compiled.value.names
    if (known.length === 0) {
      yield value(['file', 'pattern'], 'file.pattern must have named groups, such as (?<site>\\S+)')
      return
    }
  }
  for (const [path, header, name] of headersOf(description)) {
    if (known.includes(header)) continue
    const accepted =
      file.pattern === undefined ? '"line", without a pattern' : `a group of the pattern: ${known.join(', ')}`
    const suggestion = didYouMean(header, known)
    yield value(path, `columns.${name}.headers must be ${accepted}; found ${shown(header)}${suggestion}`)
  }
}

function* checkPdf({ file, columns }: Description): Generator<Finding> {
  if (file.format !== 'pdf') return
  const begins = file.row_begins_with
  if (begins !== undefined && columns[begins] === undefined) {
    const suggestion = didYouMean(begins, Object.keys(columns))
    yield value(['file', 'row_begins_with'], `"columns" has no column ${shown(begins)}${suggestion}`)
  }
  for (const name of ['row_begins_with', 'title_rows_max'] as const)
    if (file.pattern !== undefined && file[name] !== undefined)
      yield key(['file', name], `file.${name} is for a table; omit it, or file.pattern`)
}

function* checkElements(description: Description): Generator<Finding> {
  const { file, columns } = description
  for (const [name, { within, above }] of Object.entries(columns)) {
    if (isSelected(description)) {
      if (within !== undefined && above === true)
        yield key(['columns', name, 'above'], `columns.${name} has above and within; omit one of them`)
      if (within !== undefined) yield* checkSelector(['columns', name, 'within'], within)
    } else
      for (const option of ['within', 'above'] as const)
        if (columns[name]?.[option] !== undefined)
          yield key(['columns', name, option], `columns.${name}.${option} needs html with file.rows_at`)
  }
  if (file.format !== 'html' || file.rows_at === undefined) return
  yield* checkSelector(['file', 'rows_at'], file.rows_at)
  for (const name of ['table', 'title_rows_max', 'header_rows'] as const)
    if (file[name] !== undefined)
      yield key(['file', name], `file.${name} is for a table; omit it, or file.rows_at`)
  for (const [path, header] of headersOf(description)) {
    const { selector } = splitAttribute(header)
    if (selector !== '.') yield* checkSelector(path, selector)
  }
}

function* checkSelector(path: string[], selector: string): Generator<Finding> {
  const problem = problemOfSelector(selector)
  if (problem !== null) yield value(path, `${path.join('.')} must be a CSS selector: ${problem}`)
}

function* checkParts({ columns }: Description): Generator<Finding> {
  for (const [name, { pattern }] of Object.entries(columns)) {
    const compiled = pattern === undefined ? null : compileParts(pattern)
    if (compiled?.ok === false)
      yield value(
        ['columns', name, 'pattern'],
        `columns.${name}.pattern must be a regular expression: ${compiled.reason}`,
      )
  }
}
