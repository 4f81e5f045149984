/** Replaces a cell by what the pattern of its column matches in it, a line for each match. */
import type { TableRow } from '../source/source-table.ts'
import { Refusal, type SourceFile } from '../stream.ts'
import type { Columns } from './description-schema.ts'
import { batchLinesMax, compileParts, findParts } from './line-pattern.ts'

export async function* extractParts(
  file: SourceFile,
  rows: AsyncGenerator<TableRow<string>, void>,
  columns: Columns,
): AsyncGenerator<TableRow<string>, void> {
  const patterns = Object.entries(columns).flatMap(([name, { pattern }]) =>
    pattern === undefined ? [] : [{ name, expression: compiled(pattern) }],
  )
  if (patterns.length === 0) {
    yield* rows
    return
  }
  const extract = (batch: TableRow<string>[]) => {
    const cellsOfRows = batch.flatMap(row => (row.kind === 'row' ? [row.cells] : []))
    for (const { name, expression } of patterns) {
      const found = findParts(
        expression,
        cellsOfRows.map(cells => cells[name] ?? ''),
      )
      if (!found.ok)
        throw new Refusal(`"${file.name}": the pattern of the column ${name} is not usable: ${found.reason}`)
      for (const [index, cells] of cellsOfRows.entries())
        cells[name] = (found.value[index] ?? []).map(part => part.trim()).join('\n')
    }
    return batch
  }
  let batch: TableRow<string>[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchLinesMax) continue
    yield* extract(batch)
    batch = []
  }
  yield* extract(batch)
}

/** Already checked with the description; a Refusal here means another version of Node. */
function compiled(source: string): RegExp {
  const result = compileParts(source)
  if (!result.ok) throw new Refusal(`the pattern of this register is not usable: ${result.reason}`)
  return result.value
}
