import type { Transaction } from '../../database/open.ts'
import type { StagedRow, StagedTable } from '../read/staged-row.ts'
import { stageRows } from './staging-store.ts'

const batchRowsMax = 1_000
const batchCharactersMax = 2 * 1024 * 1024

type Batch = { rows: string[]; characters: number }

/** Sends rows in batches. At most one is in flight while lines are parsed, which bounds memory. */
export class Stager {
  readonly #tx: Transaction
  readonly #batches = new Map<StagedTable, Batch>()
  #inFlight: Promise<void> = Promise.resolve()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  async add(position: number, { table, row }: StagedRow): Promise<void> {
    const batch = this.#batches.get(table) ?? { rows: [], characters: 0 }
    const text = JSON.stringify({ position, ...row })
    batch.rows.push(text)
    batch.characters += text.length
    this.#batches.set(table, batch)
    if (batch.rows.length >= batchRowsMax || batch.characters >= batchCharactersMax)
      await this.#send(table, batch)
  }

  async finish(): Promise<void> {
    for (const [table, batch] of this.#batches) await this.#send(table, batch)
    await this.#inFlight
  }

  async #send(table: StagedTable, batch: Batch): Promise<void> {
    this.#batches.delete(table)
    await this.#inFlight
    this.#inFlight = stageRows(this.#tx, table, batch.rows)
    // The next batch awaits this promise and throws its failure.
    this.#inFlight.catch(() => {})
  }
}
