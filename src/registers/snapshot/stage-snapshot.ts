import type { Transaction } from '../../database/open.ts'
import { FileKeeper } from '../../journal/index.ts'
import type { NormalisedRow, Reading } from '../stream.ts'
import type { FigureCounter } from './figures.ts'
import { stageAuthorisations, stageEntries, stageLicensees, stageLicenses } from './staging-store.ts'
import type { Tally } from './tally.ts'

/** Large enough that round trips do not count, small enough that a batch is some megabytes. */
const batchRowsMax = 5_000

/** A name is searched by an index, whose values have a bound; the longest real one has 90 characters. */
const nameCharactersMax = 500

type RowsOf = { [Record in NormalisedRow['record']]: Extract<NormalisedRow, { record: Record }>[] }

export type Staged = {
  /** The digest under which the normalised rows are kept. */
  rowsSha256: Buffer
}

/** Brings readings into the staging tables, a batch at a time, keeps the rows, and counts what comes beside them. */
export async function readSnapshot(
  tx: Transaction,
  readings: AsyncIterable<Reading>,
  tally: Tally,
  figures: FigureCounter,
  onProgress: (rows: number) => void,
): Promise<Staged> {
  const keeper = new FileKeeper(tx)
  let batch = emptyBatch()
  let lines = ''
  let held = 0
  const flush = async () => {
    await keeper.write(lines)
    await stage(tx, batch)
    onProgress(tally.rows)
    batch = emptyBatch()
    lines = ''
    held = 0
  }
  for await (const reading of readings) {
    if (reading.record === 'reject') tally.addReject(reading)
    else if (reading.record === 'notice') tally.addNotice(reading)
    else if (reading.record === 'licensee' && reading.legalName.length > nameCharactersMax)
      tally.addReject({ record: 'reject', reason: 'too_long', line: 0, published: reading.legalName })
    else {
      tally.rows += 1
      tally.endsUnparsable = false
      held += 1
      figures.see(reading)
      lines += `${JSON.stringify(reading)}\n`
      const rows: NormalisedRow[] = batch[reading.record]
      rows.push(reading)
    }
    if (held === batchRowsMax) await flush()
  }
  await flush()
  const { sha256 } = await keeper.end()
  return { rowsSha256: sha256 }
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
