import { stat } from 'node:fs/promises'
import type { FileStore } from '@baize/files'
import { StaffError } from '../core/staff-error.ts'
import type { Database, Transaction, World } from '../database/open.ts'
import { blockLogoSweep } from '../features/logos/index.ts'
import { lockFacts, openStoredFile } from '../journal/index.ts'
import { type ImportMode, ImportRecord, type RecordedImport } from './import-record.ts'
import { type ImportReport, Places, Rejects } from './import-report.ts'
import { normaliseRecord } from './read/normalise-record.ts'
import { foreignReasons, parseRecord } from './read/parse-record.ts'
import { type Line, readRecordLines, splitLines } from './read/read-lines.ts'
import { type RecordKind, recordKinds } from './read/record-schemas.ts'
import { unknownMarket } from './read/unknown-market.ts'
import { restoreRefs } from './stage/company-refs-store.ts'
import { Stager } from './stage/stage-records.ts'
import { openStaging, recordRun } from './stage/staging-store.ts'
import { storeLogoFile } from './stage/store-logo-file.ts'
import { checkReferences } from './upsert/check-references.ts'
import { signalTouchedSites } from './upsert/signal-touched-sites.ts'
import type { UpsertContext, UpsertResult } from './upsert/upsert-context.ts'
import { upsertCustomers, upsertStaged } from './upsert/upsert-staged.ts'

export type ImportProgress = { lines: number; bytes: number; bytesTotal: number }

export type ImportOptions = {
  mode: ImportMode
  /** Is called every few thousand lines, and at the end. Bytes are those of the files, compressed or not. */
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Replaces omitted dates, and is the time from which the rows are known. */
  now?: Date
  /** Stores logo images. Without it, lines with an image are bad. */
  files?: FileStore
  /** An empty world is loaded without its indexes from this number of domains and blocklist entries on. */
  firstLoadLinesMin?: number
  /** Marks answers of a source, which are not recorded as a run of the operator's files. */
  ofSource?: boolean
}

/** A first load locks out readers, for less than a second below this number of lines. */
const firstLoadLinesMin = 50_000
const linesBetweenProgress = 5_000
/** A file that begins with this many lines without a JSON object has another format. */
const foreignLinesMax = 20

class NothingLoaded extends Error {}

/**
 * Loads interchange files (contract section 11) in one transaction. Loading them twice changes nothing.
 * Reports bad lines with file, number and reason. Throws on an unreadable file or a truncated gzip.
 */
export async function importFiles(
  world: World,
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> {
  const sources = files.map(file => ({
    name: file,
    lines: (onBytes: (bytes: number) => void) => readRecordLines(file, onBytes),
  }))
  return new ImportRun(sources, await sizeOf(files), options).in(world, { recorded: true })
}

/** Repeats a recorded import at its original time, from the lines that `history` stores. */
export async function replayImport(
  world: World,
  history: Database,
  { files, mode, named_by_ref }: RecordedImport,
  { now, onProgress }: { now: Date; onProgress?: ImportOptions['onProgress'] },
): Promise<void> {
  const sources = files.map(sha256 => ({
    name: sha256,
    lines: () => splitLines(openStoredFile(history, Buffer.from(sha256, 'hex'))),
  }))
  await restoreRefs(world.database, named_by_ref)
  const report = await new ImportRun(sources, 0, { mode, now, onProgress }).in(world, { recorded: false })
  if (mode === 'strict' && report.rejected > 0)
    throw new Error(`the import of ${now.toISOString()} is now rejected: ${JSON.stringify(report.rejects)}`)
}

type Source = { name: string; lines(onBytes: (bytes: number) => void): AsyncIterable<Line> }

export class ImportRun {
  readonly #sources: readonly Source[]
  readonly #bytesTotal: number
  readonly #options: ImportOptions
  readonly #now: Date
  readonly #started = performance.now()
  readonly #places = new Places()
  readonly #rejects = new Rejects()
  readonly #staged = new Map<RecordKind, number>()
  #record: ImportRecord | null = null
  #lines = 0
  #bytes = 0
  #loaded: ImportReport['loaded'] = {}

  constructor(sources: readonly Source[], bytesTotal: number, options: ImportOptions) {
    this.#sources = sources
    this.#bytesTotal = bytesTotal
    this.#options = options
    this.#now = options.now ?? new Date()
  }

  async in(world: World, { recorded }: { recorded: boolean }): Promise<ImportReport> {
    try {
      await world.database.transaction().execute(tx => {
        if (recorded) this.#record = new ImportRecord(tx)
        return this.#load(tx)
      })
    } catch (error) {
      if (!(error instanceof NothingLoaded)) throw error
    }
    return this.#report()
  }

  // No other writer changes facts after lockFacts. Files are staged before it, while others may write.
  async #load(tx: Transaction): Promise<void> {
    await openStaging(tx)
    if (this.#options.files !== undefined) await blockLogoSweep(tx)
    const stager = new Stager(tx)
    for (const source of this.#sources) await this.#stageSource(stager, source)
    const staged = await stager.finish()
    this.#reportProgress()
    await lockFacts(tx)
    const linesOfDomains = (this.#staged.get('domain') ?? 0) + (this.#staged.get('blocklist_entry') ?? 0)
    const context: UpsertContext = {
      tx,
      now: this.#now,
      staged,
      isLarge: linesOfDomains >= (this.#options.firstLoadLinesMin ?? firstLoadLinesMin),
      reject: this.#reject.bind(this),
    }
    await checkReferences(context)
    // Some bad lines appear only when they are written; the transaction is rolled back afterwards.
    if (this.#isRejected()) await upsertCustomers(context)
    this.#stopIfStrict()
    const results = await upsertStaged(context)
    this.#stopIfStrict()
    if (!this.#options.ofSource) await recordRun(tx, this.#now)
    await this.#record?.finish({ results, staged, mode: this.#options.mode, now: this.#now })
    await signalTouchedSites(context)
    this.#loaded = this.#countsOf(results)
  }

  #report(): ImportReport {
    return {
      lines: this.#lines,
      loaded: this.#loaded,
      rejected: this.#rejects.count,
      rejects: this.#rejects.shown(this.#places),
      seconds: Math.round(performance.now() - this.#started) / 1000,
    }
  }

  #reportProgress(): void {
    this.#options.onProgress?.({ lines: this.#lines, bytes: this.#bytes, bytesTotal: this.#bytesTotal })
  }

  async #stageSource(stager: Stager, { name, lines }: Source): Promise<void> {
    this.#places.beginFile(name)
    const onBytes = (bytes: number) => {
      this.#bytes += bytes
    }
    let foreignLines: number | null = 0
    for await (const line of lines(onBytes)) {
      const position = this.#places.at(line.number)
      this.#lines += 1
      if (this.#lines % linesBetweenProgress === 0) this.#reportProgress()
      const problem =
        'problem' in line ? line.problem : await this.#stageLine(stager, name, position, line.text)
      if (problem !== null) this.#rejects.add(position, problem)
      const isForeign = 'problem' in line || foreignReasons.has(problem ?? '')
      foreignLines = isForeign && foreignLines !== null ? foreignLines + 1 : null
      if (foreignLines === foreignLinesMax) throw foreignFile(name)
    }
  }

  /** Returns why the line is bad, or null. */
  async #stageLine(stager: Stager, source: string, position: number, text: string): Promise<string | null> {
    const parsed = parseRecord(text)
    if (!parsed.ok) return parsed.reason
    // A replay skips this check, because an earlier release may have accepted a market that is unknown
    // today.
    const problem = this.#record === null ? null : unknownMarket(parsed.record)
    if (problem !== null) return problem
    const normalised = normaliseRecord(parsed.record)
    if (!normalised.ok) return normalised.reason
    if (parsed.record.kind === 'logo' && typeof parsed.record.file === 'string') {
      const stored = await storeLogoFile(source, parsed.record.file, this.#options.files)
      if (!stored.ok) return stored.reason
      for (const { row } of normalised.rows) Object.assign(row, stored.facts)
    }
    for (const row of normalised.rows) await stager.add(position, row)
    const { kind } = parsed.record
    await this.#record?.add(kind, text)
    this.#staged.set(kind, (this.#staged.get(kind) ?? 0) + 1)
    return null
  }

  #reject(kind: RecordKind, count: number, shown: { position: number; reason: string }[]): void {
    this.#rejects.addMany(count, shown)
    this.#staged.set(kind, (this.#staged.get(kind) ?? 0) - count)
  }

  #isRejected(): boolean {
    return this.#options.mode === 'strict' && this.#rejects.count > 0
  }

  #stopIfStrict(): void {
    if (this.#isRejected()) throw new NothingLoaded()
  }

  #countsOf(results: Record<RecordKind, UpsertResult>): ImportReport['loaded'] {
    const loaded: ImportReport['loaded'] = {}
    for (const kind of recordKinds) {
      const lines = this.#staged.get(kind) ?? 0
      const { added, changed, suppressed = 0 } = results[kind]
      const unchanged = lines - added - changed - suppressed
      if (lines > 0) loaded[kind] = { added, changed, unchanged, ...(suppressed > 0 ? { suppressed } : {}) }
    }
    return loaded
  }
}

function foreignFile(name: string): StaffError {
  return new StaffError(
    `${name} is not in the interchange format: ` +
      `none of its first ${foreignLinesMax} lines is a JSON object, ` +
      'such as {"kind":"company","key":"acme","company_name":"Acme Ltd"}. Nothing was imported. ' +
      'For the file of a register use: register sync STREAM --file FILE.',
  )
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const stats = await Promise.all(files.map(file => stat(file)))
  return stats.reduce((total, { size }) => total + size, 0)
}
