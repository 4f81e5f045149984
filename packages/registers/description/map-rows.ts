/**
 * Maps rows of named cells to readings. A row is read in this order: licensee, license, domains, entries.
 * The first part that cannot be read rejects the row, because the later parts depend on it.
 */

import { type Cells, filledCells, type TableReading } from '@baize/tables'
import { reject, unusable } from '../entries/readings.ts'
import type { Reading, Reject } from '../stream.ts'
import type { Records } from './description-schema.ts'
import { authorisationReader, type DomainReader, entryReader } from './domain-records.ts'
import { HolderRecords } from './holder-records.ts'
import type { LicenseesByName } from './second-file.ts'

/**
 * Calls `readAll` again to restart the file, because a license's holder is certain only after the last row.
 */
export async function* mapRows(
  readAll: () => AsyncIterable<TableReading>,
  records: Records,
  licensees?: LicenseesByName,
): AsyncGenerator<Reading, void> {
  const holders = new HolderRecords(records)
  const readers: DomainReader[] = []
  if (records.authorised_domains !== undefined)
    readers.push(authorisationReader(records.authorised_domains, records.license?.when !== undefined))
  if (records.blocklist_entries !== undefined) readers.push(entryReader(records.blocklist_entries))

  if (holders.mayConflict)
    for await (const row of readAll()) if (row.kind === 'row') holders.resolveHolder(row.cells)

  for await (const row of readAll()) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const holder = holders.read(line, cells)
    yield* holder.reports
    if (!holder.ok) continue
    for (const { licenseeKey } of holder.keys) licensees?.add(cells, licenseeKey)
    const matching = readers.filter(reader => reader.matches(cells))
    if (matching.length === 0) {
      // A row without a record is rejected, so that every row ends as a record or a reject.
      if (!holders.any) yield unmatched(line, cells)
      else for (const reader of readers) yield* reader.leaveOut(cells)
      continue
    }
    for (const reader of matching) yield* reader.read(line, cells, holder.keys, holders.any)
  }
  for (const reader of readers) yield* reader.end()
  yield* holders.all()
}

function unmatched(line: number, cells: Cells): Reject {
  return reject('unknown_status', line, filledCells(cells))
}
