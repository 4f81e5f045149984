import { counted } from '@baize/names'
import type { NormalisedRow, Reading, RecordKind } from '@baize/registers'
import { withoutPerson } from '@baize/registers/entries'
import type { RecordTally } from '@baize/registers/guard'
import { FigureCounter, type SnapshotFigures } from '@baize/registers/guard'
import { Refusal } from '@baize/tables'
import type { Transaction } from '../../database/open.ts'
import { openPersonNames } from '../../features/licensee-names/index.ts'
import { FileWriter } from '../../journal/index.ts'
import {
  countStaged,
  createStaging,
  dropRepeatedRecords,
  findDanglingKeys,
  measureStaged,
  stageRows,
} from './staging-store.ts'

/** The rows of a statement: few round trips, and some megabytes of memory. */
const batchRowsMax = 5_000
/** A row may be the longest of a file. */
const batchCharactersMax = 8_000_000

/** Names are indexed, and index values are bounded. The longest real name has 90 characters. */
const nameCharactersMax = 500

type StagedSnapshot = {
  accepted: Record<string, number>
  figures: SnapshotFigures
  rowsSha256: Buffer
}

/** Reads rows into the staging tables and stores them. Throws a Refusal if no row can be used. */
export async function stageSnapshot(
  tx: Transaction,
  readings: AsyncIterable<Reading>,
  tally: RecordTally,
  onRows: (rows: number) => void = () => {},
): Promise<StagedSnapshot> {
  await createStaging(tx)
  const batch = new Batch(tx)
  const figures = new FigureCounter()
  const isPerson = await openPersonNames(tx)
  for await (const published of readings) {
    const reading = isPerson === null ? published : withoutPerson(published, isPerson)
    if (reading.record === 'reject') tally.addReject(reading)
    else if (reading.record === 'notice') tally.addNotice(reading)
    else if (reading.record === 'licensee' && reading.legalName.length > nameCharactersMax)
      tally.addReject({ record: 'reject', reason: 'too_long', line: 0, published: reading.legalName })
    else {
      tally.rows += 1
      tally.endsUnparsable = false
      figures.add(reading)
      batch.add(reading)
    }
    if (batch.isFull) {
      await batch.flush()
      onRows(tally.rows)
    }
  }
  await batch.flush()
  onRows(tally.rows)
  const rowsSha256 = await batch.end()
  const accepted = await checkStaged(tx, tally, figures.kinds)
  return { accepted, figures: figures.total(tally, await measureStaged(tx)), rowsSha256 }
}

async function checkStaged(
  tx: Transaction,
  tally: RecordTally,
  kinds: readonly RecordKind[],
): Promise<Record<string, number>> {
  tally.addRejects('duplicate', await dropRepeatedRecords(tx, kinds))
  const accepted = await countStaged(tx)
  if (Object.keys(accepted).length === 0) throw new Refusal(noneAccepted(tally))
  for (const { kind, count, examples } of await findDanglingKeys(tx))
    tally.addNotices(`names a ${kind} that the snapshot does not contain`, count, examples)
  return accepted
}

function noneAccepted({ rows, rejectedByReason, undecided, rejects: [first] }: RecordTally): string {
  const counts = undecided === 0 ? rejectedByReason : { ...rejectedByReason, undecided }
  const reasons = Object.entries(counts).map(([reason, count]) => `${reason} ${count}`)
  const listed = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`
  const example = first === undefined ? '' : `; the first is ${JSON.stringify(first.published)}`
  return `none of ${counted(rows, 'row')} could be used${listed}${example}`
}

type RowsByKind = { [Kind in NormalisedRow['record']]: Extract<NormalisedRow, { record: Kind }>[] }

class Batch {
  readonly #tx: Transaction
  readonly #keeper: FileWriter
  #rows = emptyRows()
  #lines = ''
  #size = 0

  constructor(tx: Transaction) {
    this.#tx = tx
    this.#keeper = new FileWriter(tx)
  }

  get isFull(): boolean {
    return this.#size >= batchRowsMax || this.#lines.length >= batchCharactersMax
  }

  add(row: NormalisedRow): void {
    const rows: NormalisedRow[] = this.#rows[row.record]
    rows.push(row)
    this.#lines += `${JSON.stringify(row)}\n`
    this.#size += 1
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    await this.#keeper.write(this.#lines)
    for (const kind of Object.keys(rows) as RecordKind[])
      if (rows[kind].length > 0) await stageRows(this.#tx, kind, rows[kind])
    this.#rows = emptyRows()
    this.#lines = ''
    this.#size = 0
  }

  async end(): Promise<Buffer> {
    const { sha256 } = await this.#keeper.end()
    return sha256
  }
}

function emptyRows(): RowsByKind {
  return { licensee: [], license: [], authorisation: [], blocklist_entry: [] }
}
