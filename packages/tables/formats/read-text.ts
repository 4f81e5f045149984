import type { FormOf } from '../description/file-forms.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import type { Layout, TableRow } from '../source/source-table.ts'
import { type Line, readTextLines } from '../source/source-text.ts'
import {
  batchLinesMax,
  compilePattern,
  type Groups,
  type LinePattern,
  lineColumn,
  matchLines,
  patternLineCharactersMax,
} from './line-pattern.ts'

const openingCharactersMax = 60

export async function* readTextRows(
  file: SourceFile,
  form: FormOf<'text'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const patterns = patternsOf(form)
  let batch: Line[] = []
  let opening = ''
  let hasRows = false
  for await (const line of readTextLines(file, { encoding: form.encoding ?? 'utf-8', markup: 'none' })) {
    if (opening === '') opening = line.text.trim().slice(0, openingCharactersMax)
    if (line.number <= (form.skip_lines ?? 0) || isNoRow(line.text, form)) continue
    hasRows = true
    batch.push({ number: line.number, text: line.text.trim() })
    if (batch.length < batchLinesMax) continue
    yield* rowsOfLines(file, batch, patterns, layout)
    batch = []
  }
  if (!hasRows) throw new Refusal(`"${file.name}" has no rows; it begins with ${JSON.stringify(opening)}`)
  yield* rowsOfLines(file, batch, patterns, layout)
}

function isNoRow(text: string, { comment_prefix }: FormOf<'text'>): boolean {
  const line = text.trim()
  return line === '' || (comment_prefix !== undefined && line.startsWith(comment_prefix))
}

/** The compiled patterns. Without `pattern` the whole line is the column `line`. */
export type LinePatterns = { pattern: LinePattern | undefined; ignore: LinePattern | undefined }

/** Compiles patterns that the description's check has accepted. It fails only in another version of Node. */
export function patternsOf({ pattern, ignore }: { pattern?: string; ignore?: string }): LinePatterns {
  const compiled = (source: string | undefined) => {
    const result = source === undefined ? undefined : compilePattern(source)
    if (result?.ok === false)
      throw new Refusal(`the pattern of this register is not usable: ${result.reason}`)
    return result?.value
  }
  return { pattern: compiled(pattern), ignore: compiled(ignore) }
}

/** Reads at most `batchLinesMax` lines at once. */
export function* rowsOfLines(
  file: SourceFile,
  lines: readonly Line[],
  { pattern, ignore }: LinePatterns,
  layout: Layout<string>,
): Generator<TableRow<string>, void> {
  const found = pattern === undefined ? wholeLines(lines) : matched(file, pattern, lines)
  const ignored = ignore === undefined ? [] : matched(file, ignore, lines)
  for (const [index, line] of lines.entries()) {
    const groups = found[index] ?? null
    if (ignored[index] !== undefined && ignored[index] !== null) continue
    if (groups === null) yield { kind: 'misshapen', line: line.number, published: line.text }
    else yield { kind: 'row', line: line.number, cells: cellsOf(groups, layout) }
  }
}

const wholeLines = (lines: readonly Line[]): Groups[] => lines.map(line => ({ [lineColumn]: line.text }))

/** Returns the groups of each line, or null for a line that does not match. */
export function matched(file: SourceFile, pattern: LinePattern, lines: readonly Line[]): (Groups | null)[] {
  const short = lines.map(({ text }) => (text.length <= patternLineCharactersMax ? text : ''))
  const found = matchLines(pattern, short)
  if (found.ok) return found.value
  throw new Refusal(
    `"${file.name}": the pattern of this register cannot read the lines ${lines[0]?.number} to ` +
      `${lines.at(-1)?.number}: ${found.reason}`,
  )
}

function cellsOf(groups: Groups, layout: Layout<string>): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [name, { headers }] of Object.entries(layout)) {
    cells[name] = headers.map(group => groups[group] ?? '').find(text => text !== '') ?? ''
  }
  return cells
}

/**
 * Reads one host or URL for each line, also from a hosts file: `0.0.0.0 host # why` is the host. It skips
 * blank lines, comments and a time stamp on the first line (`20260401 13:06`).
 */
export async function* readHostRows(
  file: SourceFile,
  form: FormOf<'hosts'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const columns = Object.keys(layout)
  let rows = 0
  for await (const { number, text } of readTextLines(file, {
    encoding: form.encoding ?? 'utf-8',
    markup: 'none',
  })) {
    const host = withoutHostsForm(text)
    if (host === '' || (number === 1 && /^\d{8} \d\d:\d\d$/.test(host))) continue
    rows += 1
    yield { kind: 'row', line: number, cells: Object.fromEntries(columns.map(name => [name, host])) }
  }
  if (rows === 0) throw new Refusal(`"${file.name}" has no rows`)
}

/**
 * Removes the address and comment of a hosts file. A `#` after a blank starts a comment; in a URL it starts
 * a fragment.
 */
function withoutHostsForm(line: string): string {
  const text = line.replace(/(?:^|\s)#.*$/, '').trim()
  return text.replace(/^(?:\d{1,3}(?:\.\d{1,3}){3}|::1?)\s+(?=\S)/, '')
}
