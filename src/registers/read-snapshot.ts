import type { Transaction } from '../database/open.ts'
import { stageAuthorisations, stageEntries, stageLicensees, stageLicenses } from './staging-store.ts'
import type { NormalisedRow, SourceFile, Stream } from './stream.ts'
import type { Tally } from './tally.ts'

/** Large enough that round trips do not count, small enough that a batch is some megabytes. */
const batchRowsMax = 5_000

type RowsOf = { [Record in NormalisedRow['record']]: Extract<NormalisedRow, { record: Record }>[] }

/** Parses the files into the staging tables, a batch at a time, and counts what comes beside the rows. */
export async function readSnapshot(
  tx: Transaction,
  stream: Stream,
  files: readonly SourceFile[],
  tally: Tally,
  onProgress: (rows: number) => void,
): Promise<void> {
  let batch = emptyBatch()
  let held = 0
  for await (const reading of stream.read(files)) {
    if (reading.record === 'reject') tally.addReject(reading)
    else if (reading.record === 'notice') tally.addNotice(reading)
    else {
      tally.rows += 1
      held += 1
      const rows: NormalisedRow[] = batch[reading.record]
      rows.push(reading)
    }
    if (held === batchRowsMax) {
      await stage(tx, batch)
      onProgress(tally.rows)
      batch = emptyBatch()
      held = 0
    }
  }
  await stage(tx, batch)
  onProgress(tally.rows)
}

function emptyBatch(): RowsOf {
  return { licensee: [], license: [], authorisation: [], blocklist_entry: [] }
}

async function stage(tx: Transaction, batch: RowsOf): Promise<void> {
  if (batch.licensee.length > 0) await stageLicensees(tx, batch.licensee)
  if (batch.license.length > 0) await stageLicenses(tx, batch.license)
  if (batch.authorisation.length > 0) await stageAuthorisations(tx, batch.authorisation)
  if (batch.blocklist_entry.length > 0) await stageEntries(tx, batch.blocklist_entry)
}
