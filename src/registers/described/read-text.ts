import type { Layout, TableRow } from '../source/source-table.ts'
import { type Line, readLines } from '../source/source-text.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { FormOf } from './description-schema.ts'
import {
  batchLinesMax,
  compilePattern,
  type Groups,
  type LinePattern,
  lineColumn,
  matchLines,
  patternLineCharactersMax,
} from './line-pattern.ts'

export async function* readTextRows(
  file: SourceFile,
  form: FormOf<'text'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const pattern = form.pattern === undefined ? undefined : patternOf(form.pattern)
  let batch: Line[] = []
  for await (const line of readLines(file, { encoding: form.encoding ?? 'utf-8', markup: 'none' })) {
    if (line.number <= (form.skip_lines ?? 0) || isNoRow(line.text, form)) continue
    batch.push({ number: line.number, text: line.text.trim() })
    if (batch.length < batchLinesMax) continue
    yield* rowsOf(file, batch, pattern, layout)
    batch = []
  }
  yield* rowsOf(file, batch, pattern, layout)
}

function isNoRow(text: string, { comment_prefix }: FormOf<'text'>): boolean {
  const line = text.trim()
  return line === '' || (comment_prefix !== undefined && line.startsWith(comment_prefix))
}

/** Already checked with the description; a Refusal here means another version of Node. */
function patternOf(source: string): LinePattern {
  const compiled = compilePattern(source)
  if (!compiled.ok) throw new Refusal(`the pattern of this register is not usable: ${compiled.reason}`)
  return compiled.value
}

function* rowsOf(
  file: SourceFile,
  lines: readonly Line[],
  pattern: LinePattern | undefined,
  layout: Layout<string>,
): Generator<TableRow<string>, void> {
  const short = lines.map(line => (line.text.length <= patternLineCharactersMax ? line.text : ''))
  const found = pattern === undefined ? wholeLines(lines) : matched(file, pattern, short, lines)
  for (const [index, line] of lines.entries()) {
    const groups = found[index] ?? null
    if (groups === null) yield { kind: 'misshapen', line: line.number, published: line.text }
    else yield { kind: 'row', line: line.number, cells: cellsOf(groups, layout) }
  }
}

const wholeLines = (lines: readonly Line[]): Groups[] => lines.map(line => ({ [lineColumn]: line.text }))

function matched(
  file: SourceFile,
  pattern: LinePattern,
  texts: readonly string[],
  lines: readonly Line[],
): (Groups | null)[] {
  const found = matchLines(pattern, texts)
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
