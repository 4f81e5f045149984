import type { Layout, TableRow } from '../source/source-table.ts'
import { type Line, readLines } from '../source/source-text.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { FormOf } from './file-forms.ts'
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
  for await (const line of readLines(file, { encoding: form.encoding ?? 'utf-8', markup: 'none' })) {
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

/** Without a pattern the whole line is the column `line`. */
export type LinePatterns = { pattern: LinePattern | undefined; ignore: LinePattern | undefined }

/** Already checked with the description; a Refusal here means another version of Node. */
export function patternsOf({ pattern, ignore }: { pattern?: string; ignore?: string }): LinePatterns {
  const compiled = (source: string | undefined) => {
    const result = source === undefined ? undefined : compilePattern(source)
    if (result?.ok === false)
      throw new Refusal(`the pattern of this register is not usable: ${result.reason}`)
    return result?.value
  }
  return { pattern: compiled(pattern), ignore: compiled(ignore) }
}

/** At most `batchLinesMax` lines at once. */
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

/** Null: the line does not match. */
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
  for (const [name, { names }] of Object.entries(layout)) {
    cells[name] = names.map(group => groups[group] ?? '').find(text => text !== '') ?? ''
  }
  return cells
}
