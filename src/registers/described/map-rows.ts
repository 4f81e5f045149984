/**
 * Rows of named cells to readings. A row is read in one order: its licensee, its license, its domains, its entries. The
 * first of them that cannot be read rejects the row, for what stands behind would lack what it hangs on.
 */
import { notice, reject, unusable } from '../source/readings.ts'
import type { Reading, Reject } from '../stream.ts'
import type { Description } from './description-schema.ts'
import { authorisationReader, type DomainReader, entryReader } from './domain-records.ts'
import { HolderRecords } from './holder-records.ts'
import type { DescribedRow } from './read-rows.ts'
import { type Cells, cleaned, conditionOf, plainWords } from './row-fields.ts'

const leftOutNotice = 'left out, as the description says'

/** `readAll` begins the file anew: whose a number is that two holders are printed with, only the whole file tells. */
export async function* mapRows(
  readAll: () => AsyncIterable<DescribedRow>,
  { records, empty_cells, leave_out }: Pick<Description, 'records' | 'empty_cells' | 'leave_out'>,
): AsyncGenerator<Reading, void> {
  const emptyCells = plainWords(empty_cells)
  const isLeftOut = leave_out === undefined ? () => false : conditionOf(leave_out)
  const holders = new HolderRecords(records)
  const readers: DomainReader[] = []
  if (records.authorised_domains !== undefined) readers.push(authorisationReader(records.authorised_domains))
  if (records.blocklist_entries !== undefined) readers.push(entryReader(records.blocklist_entries))

  if (holders.mayConflict)
    for await (const row of readAll()) {
      if (row.kind !== 'row') continue
      const cells = cleaned(row.cells, emptyCells)
      if (!isLeftOut(cells)) holders.contend(cells)
    }
  for await (const row of readAll()) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line } = row
    const cells = cleaned(row.cells, emptyCells)
    if (isLeftOut(cells)) {
      yield notice(leftOutNotice, printed(cells))
      continue
    }
    const held = holders.read(line, cells)
    yield* held.told
    if (!held.ok) continue
    const concerned = readers.filter(reader => reader.concerns(cells))
    if (concerned.length === 0) {
      // Every row ends as something: here no condition knows its word.
      if (!holders.any) yield unconcerned(line, cells)
      continue
    }
    for (const reader of concerned) yield* reader.read(line, cells, held.keys, holders.any)
  }
  yield* holders.all()
}

function unconcerned(line: number, cells: Cells): Reject {
  return reject('unknown_status', line, printed(cells))
}

function printed(cells: Cells): string {
  return Object.values(cells)
    .filter(cell => cell !== '')
    .join(' | ')
}
