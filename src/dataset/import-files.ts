import { stat } from 'node:fs/promises'
import type { Transaction, World } from '../database/open.ts'
import { type ImportReport, Places, Rejects } from './import-report.ts'
import { checkReferences, type Merged, mergeStaged } from './merge.ts'
import { normaliseRecord } from './normalise-record.ts'
import { parseRecord } from './parse-record.ts'
import { readLines } from './read-lines.ts'
import { type RecordKind, recordKinds } from './record-schemas.ts'
import { Stager } from './stage-records.ts'
import { noteRun, openStaging } from './staging-store.ts'

export type ImportProgress = { lines: number; bytes: number; bytesTotal: number }

export type ImportOptions = {
  /** What a bad line means: nothing is loaded, or everything but it. */
  mode: 'strict' | 'skip-invalid'
  /** Told every few thousand lines, and at the end. Bytes are those of the files, packed as they are. */
  onProgress?: (progress: ImportProgress) => void
  /** The moment that dates left out stand for, and from which what is loaded is known. */
  now?: Date
}

const linesBetweenProgress = 5_000

/** Ends the transaction of a strict import that found bad lines. */
class NothingLoaded extends Error {}

/**
 * Loads interchange files (contract section 11), all of them in one transaction. Loading them twice changes
 * nothing. A bad line is reported with its file, number and reason; a file that cannot be read, or a gzip that ends
 * too early, throws, for what it would have said is not known.
 */
export async function importFiles(
  world: World,
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> {
  const run = new ImportRun(files, options)
  try {
    await world.database.transaction().execute(tx => run.load(tx))
  } catch (error) {
    if (!(error instanceof NothingLoaded)) throw error
  }
  return run.report()
}

class ImportRun {
  readonly #files: readonly string[]
  readonly #options: ImportOptions
  readonly #now: Date
  readonly #started = performance.now()
  readonly #places = new Places()
  readonly #rejects = new Rejects()
  /** Lines of each kind that were neither rejected nor, so far, merged. */
  readonly #staged = new Map<RecordKind, number>()
  #lines = 0
  #bytes = 0
  #loaded: ImportReport['loaded'] = {}

  constructor(files: readonly string[], options: ImportOptions) {
    this.#files = files
    this.#options = options
    this.#now = options.now ?? new Date()
  }

  async load(tx: Transaction): Promise<void> {
    await openStaging(tx)
    const stager = new Stager(tx)
    const bytesTotal = await sizeOf(this.#files)
    const tell = () => this.#options.onProgress?.({ lines: this.#lines, bytes: this.#bytes, bytesTotal })
    for (const file of this.#files) await this.#stageFile(stager, file, tell)
    await stager.finish()
    tell()
    const refuse = this.#refuse.bind(this)
    await checkReferences(tx, refuse)
    this.#stopIfStrict()
    const merged = await mergeStaged(tx, this.#now, refuse)
    this.#stopIfStrict()
    await noteRun(tx, this.#now)
    this.#loaded = this.#countsOf(merged)
  }

  report(): ImportReport {
    return {
      lines: this.#lines,
      loaded: this.#loaded,
      rejected: this.#rejects.count,
      rejects: this.#rejects.shown(this.#places),
      seconds: Math.round(performance.now() - this.#started) / 1000,
    }
  }

  async #stageFile(stager: Stager, file: string, tell: () => void): Promise<void> {
    this.#places.beginFile(file)
    const onBytes = (bytes: number) => {
      this.#bytes += bytes
    }
    for await (const line of readLines(file, onBytes)) {
      const position = this.#places.at(line.number)
      this.#lines += 1
      if (this.#lines % linesBetweenProgress === 0) tell()
      const problem = 'problem' in line ? line.problem : await this.#stageLine(stager, position, line.text)
      if (problem !== null) this.#rejects.add(position, problem)
    }
  }

  /** Stages a line, or tells why it cannot be. */
  async #stageLine(stager: Stager, position: number, text: string): Promise<string | null> {
    const parsed = parseRecord(text)
    if (!parsed.ok) return parsed.reason
    const normalised = normaliseRecord(parsed.record)
    if (!normalised.ok) return normalised.reason
    for (const row of normalised.rows) await stager.add(position, row)
    const { kind } = parsed.record
    this.#staged.set(kind, (this.#staged.get(kind) ?? 0) + 1)
    return null
  }

  #refuse(kind: RecordKind, count: number, shown: { position: number; reason: string }[]): void {
    this.#rejects.addMany(count, shown)
    this.#staged.set(kind, (this.#staged.get(kind) ?? 0) - count)
  }

  #stopIfStrict(): void {
    if (this.#options.mode === 'strict' && this.#rejects.count > 0) throw new NothingLoaded()
  }

  #countsOf(merged: Record<RecordKind, Merged>): ImportReport['loaded'] {
    const loaded: ImportReport['loaded'] = {}
    for (const kind of recordKinds) {
      const lines = this.#staged.get(kind) ?? 0
      const { added, changed } = merged[kind]
      if (lines > 0) loaded[kind] = { added, changed, unchanged: lines - added - changed }
    }
    return loaded
  }
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const stats = await Promise.all(files.map(file => stat(file)))
  return stats.reduce((total, { size }) => total + size, 0)
}
