import type { Transaction } from '../database/open.ts'
import { FileKeeper, recordEvent } from '../journal/index.ts'
import type { RecordKind } from './read/record-schemas.ts'
import { type NamedByRef, readNamedByRef } from './stage/company-refs-store.ts'
import type { UpsertResult } from './upsert/upsert-context.ts'

export type ImportMode = 'strict' | 'skip-invalid'

/** `detail` of an import in the history: the kept lines, what a bad one meant, and the Companies that lines name by ref. */
export type RecordedImport = { files: string[]; mode: ImportMode; named_by_ref?: NamedByRef[] }

/** Facts, which the history does again. Accounts hold secrets, and what is left out here decides no verdict and no Signal. */
const keptKinds: readonly RecordKind[] = [
  'company',
  'domain',
  'license',
  'blocklist_entry',
  'platform',
  'platform_reading',
]

const charactersAtOnceMax = 64 * 1024

/**
 * Keeps the lines that an import read, kind by kind what the history needs, in the order in which they were read. Nobody
 * knows yet whether they change anything: they are kept, or let go, when that is known.
 */
export class ImportRecord {
  readonly #tx: Transaction
  readonly #keeper: FileKeeper
  #lines: string[] = []
  #characters = 0

  constructor(tx: Transaction) {
    this.#tx = tx
    this.#keeper = new FileKeeper(tx)
  }

  async add(kind: RecordKind, text: string): Promise<void> {
    if (!keptKinds.includes(kind)) return
    this.#lines.push(text)
    this.#characters += text.length
    if (this.#characters >= charactersAtOnceMax) await this.#write()
  }

  /** Writes the import into the history if it changed any fact; otherwise nothing of it is kept. */
  async finish(results: Record<RecordKind, UpsertResult>, mode: ImportMode, now: Date): Promise<void> {
    const loaded = keptKinds.some(kind => results[kind].added + results[kind].changed > 0)
    if (!loaded) return this.#keeper.discard()
    await this.#write()
    const { sha256 } = await this.#keeper.end()
    const named_by_ref = await readNamedByRef(this.#tx)
    const detail: RecordedImport = { files: [sha256.toString('hex')], mode, named_by_ref }
    await recordEvent(this.#tx, { kind: 'import', at: now, detail })
  }

  async #write(): Promise<void> {
    if (this.#lines.length === 0) return
    await this.#keeper.write(`${this.#lines.join('\n')}\n`)
    this.#lines = []
    this.#characters = 0
  }
}
