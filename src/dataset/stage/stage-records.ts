import type { Transaction } from '../../database/open.ts'
import type { StagedRow, StagedTable, StagedTables } from '../read/staged-row.ts'
import { createStaged, stageRows } from './staging-store.ts'

const batchRowsMax = 1_000
const batchCharactersMax = 2 * 1024 * 1024

/** A table that statements on another one read, too. */
const readWith: Partial<Record<StagedTable, StagedTable>> = {
  staged_licenses: 'staged_license_domains',
  staged_platform_readings: 'staged_platforms',
}

type Batch = { rows: string[]; characters: number }

/** Sends rows in batches. At most one batch is in flight while lines are parsed, which bounds memory. */
export class Stager {
  readonly #tx: Transaction
  readonly #batches = new Map<StagedTable, Batch>()
  readonly #created = new Set<StagedTable>()
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

  async finish(): Promise<StagedTables> {
    for (const [table, batch] of this.#batches) await this.#send(table, batch)
    await this.#inFlight
    return this.#created
  }

  async #send(table: StagedTable, batch: Batch): Promise<void> {
    this.#batches.delete(table)
    await this.#inFlight
    await this.#create(table)
    this.#inFlight = stageRows(this.#tx, table, batch.rows)
    // The next batch awaits this promise and throws its error.
    this.#inFlight.catch(() => {})
  }

  async #create(table: StagedTable): Promise<void> {
    for (const each of [table, readWith[table]]) {
      if (each === undefined || this.#created.has(each)) continue
      this.#created.add(each)
      await createStaged(this.#tx, each)
    }
  }
}
