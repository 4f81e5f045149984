/**
 * Maps rows of named cells to readings. A row is read in this order: licensee, license, domains, entries. The
 * first one that cannot be read rejects the row, because the later ones depend on it.
 */
import { notice, reject, unusable } from '../source/readings.ts'
import type { Reading, Reject } from '../stream.ts'
import type { Description } from './description-schema.ts'
import { authorisationReader, type DomainReader, entryReader } from './domain-records.ts'
import { fillDown } from './fill-down.ts'
import { HolderRecords } from './holder-records.ts'
import type { DescribedRow } from './read-rows.ts'
import { type Cells, cleanCells, conditionOf, plainWords } from './row-fields.ts'

const leftOutNotice = 'left out, as the description says'

export type RowMeaning = Pick<Description, 'records' | 'empty_cells' | 'leave_out' | 'fill_down'>

/** `readAll` starts the file again: the holder of a license with two is known only after the whole file. */
export async function* mapRows(
  readAll: () => AsyncIterable<DescribedRow>,
  { records, empty_cells, leave_out, fill_down }: RowMeaning,
): AsyncGenerator<Reading, void> {
  const emptyCells = plainWords(empty_cells)
  const isLeftOut = leave_out === undefined ? () => false : conditionOf(leave_out)
  const holders = new HolderRecords(records)
  const readers: DomainReader[] = []
  if (records.authorised_domains !== undefined) readers.push(authorisationReader(records.authorised_domains))
  if (records.blocklist_entries !== undefined) readers.push(entryReader(records.blocklist_entries))

  if (holders.mayConflict) {
    const filled = fillDown(fill_down)
    for await (const row of readAll()) {
      if (row.kind !== 'row') continue
      const cells = cleanCells(row.cells, emptyCells)
      if (!isLeftOut(cells)) holders.resolveHolder(filled(cells))
    }
  }
  const filled = fillDown(fill_down)
  for await (const row of readAll()) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line } = row
    const printedCells = cleanCells(row.cells, emptyCells)
    if (isLeftOut(printedCells)) {
      yield notice(leftOutNotice, printed(printedCells))
      continue
    }
    const cells = filled(printedCells)
    const holder = holders.read(line, cells)
    yield* holder.reports
    if (!holder.ok) continue
    const matching = readers.filter(reader => reader.matches(cells))
    if (matching.length === 0) {
      // Each row must end as a record or a reject.
      if (!holders.any) yield unmatched(line, cells)
      continue
    }
    for (const reader of matching) yield* reader.read(line, cells, holder.keys, holders.any)
  }
  for (const reader of readers) yield* reader.end()
  yield* holders.all()
}

function unmatched(line: number, cells: Cells): Reject {
  return reject('unknown_status', line, printed(cells))
}

function printed(cells: Cells): string {
  return Object.values(cells)
    .filter(cell => cell !== '')
    .join(' | ')
}
