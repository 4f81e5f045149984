import type { Transaction } from '../database/open.ts'
import { FileWriter, recordEvent } from '../journal/index.ts'
import type { RecordKind } from './read/record-schemas.ts'
import type { StagedTables } from './read/staged-row.ts'
import { type NamedByRef, readNamedByRef } from './stage/company-refs-store.ts'
import type { UpsertResult } from './upsert/upsert-context.ts'

export type ImportMode = 'strict' | 'skip-invalid'

export type RecordedImport = {
  files: string[]
  mode: ImportMode
  named_by_ref: NamedByRef[]
}

type FinishedImport = {
  results: Record<RecordKind, UpsertResult>
  staged: StagedTables
  mode: ImportMode
  now: Date
}

/** Verdicts and Signals depend on these kinds. Accounts are excluded, because they contain secrets. */
const recordedKinds: readonly RecordKind[] = [
  'company',
  'domain',
  'license',
  'blocklist_entry',
  'platform',
  'platform_reading',
]

const charactersAtOnceMax = 64 * 1024

/** Stores the lines of an import for replays, and discards them if they changed nothing. */
export class ImportRecord {
  readonly #tx: Transaction
  readonly #file: FileWriter
  #lines: string[] = []
  #characters = 0

  constructor(tx: Transaction) {
    this.#tx = tx
    this.#file = new FileWriter(tx)
  }

  async add(kind: RecordKind, text: string): Promise<void> {
    if (!recordedKinds.includes(kind)) return
    this.#lines.push(text)
    this.#characters += text.length
    if (this.#characters >= charactersAtOnceMax) await this.#write()
  }

  async finish({ results, staged, mode, now }: FinishedImport): Promise<void> {
    const changed = recordedKinds.some(kind => results[kind].added + results[kind].changed > 0)
    if (!changed) return this.#file.discard()
    await this.#write()
    const { sha256 } = await this.#file.end()
    const named_by_ref = await readNamedByRef(this.#tx, staged)
    const files = [sha256.toString('hex')]
    const detail: RecordedImport = { files, mode, named_by_ref }
    await recordEvent(this.#tx, { kind: 'import', at: now, detail })
  }

  async #write(): Promise<void> {
    if (this.#lines.length === 0) return
    await this.#file.write(`${this.#lines.join('\n')}\n`)
    this.#lines = []
    this.#characters = 0
  }
}
