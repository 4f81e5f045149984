/**
 * Replaces each cell by the parts that its column's pattern matches, one line for each match. Letters that
 * look like Latin ones are replaced before, if the column says so.
 */

import type { Columns } from '../description/table-schema.ts'
import { latinLetters } from '../fields/latin-letters.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import type { TableRow } from '../source/source-table.ts'
import { batchLinesMax, compileParts, findParts } from './line-pattern.ts'

export async function* extractParts(
  file: SourceFile,
  rows: AsyncGenerator<TableRow<string>, void>,
  columns: Columns,
): AsyncGenerator<TableRow<string>, void> {
  const patterns = Object.entries(columns).flatMap(([name, { pattern }]) =>
    pattern === undefined ? [] : [{ name, expression: compiled(pattern) }],
  )
  const latin = Object.keys(columns).filter(name => columns[name]?.letters === 'latin')
  if (patterns.length + latin.length === 0) {
    yield* rows
    return
  }
  const extract = (batch: TableRow<string>[]) => {
    const unfound: Unfound[] = []
    const cellsOfRows = batch.flatMap(row => (row.kind === 'row' ? [row.cells] : []))
    for (const cells of cellsOfRows) for (const name of latin) cells[name] = latinLetters(cells[name] ?? '')
    for (const { name, expression } of patterns) {
      const found = findParts(
        expression,
        cellsOfRows.map(cells => cells[name] ?? ''),
      )
      if (!found.ok)
        throw new Refusal(`"${file.name}": the pattern of the column ${name} is not usable: ${found.reason}`)
      for (const [index, cells] of cellsOfRows.entries()) {
        const parts = found.value[index] ?? []
        if (parts.length === 0 && cells[name]?.trim())
          unfound.push({ name, cells, published: cells[name] ?? '' })
        cells[name] = parts.map(part => part.trim()).join('\n')
      }
    }
    return [...batch, ...unfound.filter(isLost).map(({ name, published }) => notice(nameOf(name), published))]
  }
  const notice = (name: string, published: string) =>
    ({ kind: 'notice', notice: `no ${name} found`, published }) as const
  /** A column that another one falls back to is reported under the name of that one. */
  const nameOf = (name: string) => Object.keys(columns).find(each => columns[each]?.else === name) ?? name
  const isLost = ({ name, cells }: Unfound) => {
    const own = nameOf(name)
    const other = columns[own]?.else
    if (other === undefined) return columns[own]?.optional !== true
    return cells[own] === '' && cells[other]?.trim() === ''
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

/** A filled cell without what the pattern of its column looks for. */
type Unfound = { name: string; cells: Record<string, string>; published: string }

/** Compiles a pattern that the description's check has accepted. It fails only in another version of Node. */
function compiled(source: string): RegExp {
  const result = compileParts(source)
  if (!result.ok) throw new Refusal(`the pattern of this register is not usable: ${result.reason}`)
  return result.value
}
