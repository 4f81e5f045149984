import type { Transaction, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { checkOrder } from '../snapshot/check-order.ts'
import { contentDigest } from '../snapshot/content-digest.ts'
import { findCut, type RawFile } from '../snapshot/find-cut.ts'
import { quarantineSnapshot } from '../snapshot/quarantine-store.ts'
import {
  type AppliedSnapshot,
  readLastSnapshot,
  type SnapshotToStore,
  writeSignalCount,
} from '../snapshot/snapshot-store.ts'
import { storedSources, storeRawFiles } from '../snapshot/store-files.ts'
import { findQuarantined, readQuarantined, type StoredSnapshot } from '../snapshot/stored-snapshots-store.ts'
import type { Tally } from '../snapshot/tally.ts'
import { Refusal, type SourceFile, type Stream } from '../stream.ts'
import {
  applySnapshot,
  compareSnapshot,
  noteFewRows,
  noteGrowth,
  stageSnapshot,
  weighSnapshot,
} from './apply-snapshot.ts'
import { confirmSnapshot } from './confirm-snapshot.ts'
import { applyTime, type IncomingSnapshot, reported, shouldEmitSignals } from './incoming-snapshot.ts'
import { writeRun, writeStreamDetails } from './runs-store.ts'
import type { SyncOptions } from './sync-register.ts'
import type { SyncOutcome } from './sync-report.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

/** Longer than the longest sync measured (1,000,000 new domains on two busy cores, 180 s). */
const waitMsMaxDefault = 240_000

/** A snapshot as it stands before it is read. */
type Candidate = {
  snapshot: Omit<IncomingSnapshot, 'tells'>
  sources: readonly SourceFile[]
  files: readonly RawFile[]
  contentSha256: Buffer
  last: AppliedSnapshot | undefined
  /** Why a file may be cut off, and which one ends inside a line unlike before. */
  cutReasons: readonly string[]
  endsInsideLine: string | null
}

/** One transaction of a sync: decides what the files are (unchanged, waiting, a correction first, new), and does that. */
export class Attempt {
  readonly #world: World
  readonly #stream: Stream
  readonly #files: readonly SourceFile[]
  readonly #options: SyncOptions
  readonly #tally: Tally
  readonly #start: number

  constructor(
    world: World,
    stream: Stream,
    files: readonly SourceFile[],
    options: SyncOptions,
    tally: Tally,
    start: number,
  ) {
    this.#world = world
    this.#stream = stream
    this.#files = files
    this.#options = options
    this.#tally = tally
    this.#start = start
  }

  runSoFar() {
    const { now } = this.#options
    const finishedAt = new Date(now.getTime() + Math.round(performance.now() - this.#start))
    return { stream: this.#stream.key, startedAt: now, finishedAt, reasons: [] as string[] }
  }

  async run(): Promise<SyncOutcome | 'corrected'> {
    const { waitMsMax = waitMsMaxDefault } = this.#options
    const contentSha256 = await contentDigest(this.#files)
    return this.#world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, waitMsMax)
      await lockStream(tx, this.#stream.key)
      const outcome = await this.#decide(tx, contentSha256)
      await writeStreamDetails(tx, this.#stream)
      return outcome
    })
  }

  async #decide(tx: Transaction, contentSha256: Buffer): Promise<SyncOutcome | 'corrected'> {
    const { takenAt, now } = this.#options
    const { key, parserVersion } = this.#stream
    const last = await readLastSnapshot(tx, key)
    const candidate = { takenAt, contentSha256, parserVersion }
    const judged = checkOrder({ ...candidate, now }, last)
    const again = await findQuarantined(tx, key, candidate)
    if (again !== undefined) return this.#holdAgain(tx, again)
    if (last !== undefined && last.parserVersion !== parserVersion && last.files.length > 0) {
      const waiting = await readQuarantined(tx, key)
      const waits = waiting?.isCorrection && waiting.parserVersion === parserVersion
      return waits ? this.#holdAgain(tx, waiting) : this.#correct(tx, last)
    }
    if (last !== undefined && judged === 'unchanged')
      return confirmSnapshot(tx, last, { takenAt, at: now, run: this.runSoFar() })
    return this.#take(tx, contentSha256, last)
  }

  /** The same broken file once more: it waits already, and waits on. */
  async #holdAgain(tx: Transaction, waiting: StoredSnapshot): Promise<SyncOutcome> {
    const {
      id,
      snapshotRef: snapshot_ref,
      reasons,
      rows,
      rejected,
      rejectedByReason: rejected_by_reason,
    } = waiting
    await writeRun(tx, { ...this.runSoFar(), status: 'held', snapshotId: id, reasons })
    const { added, removed, changed } = waiting
    return {
      status: 'held',
      snapshot_ref,
      reasons,
      rows,
      rejected,
      rejected_by_reason,
      added,
      removed,
      changed,
    }
  }

  async #take(
    tx: Transaction,
    contentSha256: Buffer,
    last: AppliedSnapshot | undefined,
  ): Promise<SyncOutcome> {
    const { takenAt, now } = this.#options
    const files = await storeRawFiles(tx, this.#files)
    const cut = await findCut(
      this.#world.database,
      files.map((file, index) => ({ ...file, source: this.#files[index] as SourceFile })),
      last?.files ?? [],
    )
    if (cut?.where === 'inside_record')
      throw new Refusal(`"${cut.file}" is the beginning of the last snapshot's file, cut off inside a record`)
    const cutReasons =
      cut === null ? [] : [`"${cut.file}" is the beginning of the last snapshot's file: it may be cut off`]
    const lastEndedLines =
      last !== undefined && last.files.length > 0 && last.files.every(file => file.ends_line)
    const endsInsideLine = (lastEndedLines && files.find(file => !file.ends_line)?.name) || null
    // Applied before files were kept: nobody can tell what a newer parser corrects, so nothing of it is told as news.
    const isCorrection =
      last !== undefined && last.files.length === 0 && last.parserVersion !== this.#stream.parserVersion
    const snapshot = {
      stream: this.#stream,
      takenAt,
      previousTakenAt: last?.takenAt ?? null,
      now: applyTime(now, last),
      isCorrection,
    }
    const cutSigns = { cutReasons, endsInsideLine }
    return this.#judgeAndApply(tx, {
      snapshot,
      sources: this.#files,
      files,
      contentSha256,
      last,
      ...cutSigns,
    })
  }

  /** Reads the files of the last snapshot with today's parser. What that changes is mended and not told as news. */
  async #correct(tx: Transaction, last: AppliedSnapshot): Promise<SyncOutcome | 'corrected'> {
    const { takenAt } = last
    const snapshot = {
      stream: this.#stream,
      takenAt,
      previousTakenAt: takenAt,
      now: applyTime(this.#options.now, last),
      isCorrection: true,
    }
    const sources = storedSources(this.#world.database, last.files)
    const { files, contentSha256 } = last
    const outcome = await this.#judgeAndApply(tx, {
      snapshot,
      sources,
      files,
      contentSha256,
      last,
      cutReasons: [],
      endsInsideLine: null,
    })
    return outcome.status === 'applied' ? 'corrected' : outcome
  }

  async #judgeAndApply(tx: Transaction, candidate: Candidate): Promise<SyncOutcome> {
    const { sources, files, contentSha256, last, cutReasons, endsInsideLine } = candidate
    const tally = this.#tally
    const { onProgress } = this.#options
    const staged = await stageSnapshot(tx, this.#stream.read(sources), tally, onProgress)
    if (tally.endsUnparsable && files.some(file => !file.ends_line))
      throw new Refusal('the last row is incomplete and ends without a line break: the file is cut off')
    const { figures } = staged
    const tells = shouldEmitSignals(this.#stream.rowsMin, figures.rows, last?.rowsMost ?? null)
    const snapshot = { ...candidate.snapshot, tells }
    noteFewRows(tally, this.#stream, figures.rows)
    noteGrowth(tally, figures, last?.figures ?? null)
    await lockFacts(tx)
    const differences = await compareSnapshot(tx, snapshot)
    tally.addNotices('license number moved alone', differences.license.restated)
    const written = (counts: { added: number; removed: number; changed: number }): SnapshotToStore => ({
      ...snapshot,
      ...counts,
      ...staged,
      approvedRef: null,
      parserVersion: this.#stream.parserVersion,
      contentSha256,
      files,
      rows: tally.rows,
      rejected: tally.rejected,
      rejectedByReason: tally.rejectedByReason,
    })
    const weighing = { snapshot, figures, differences, last, endsInsideLine }
    const weighed = await weighSnapshot(tx, this.#world.database, weighing)
    const reasons = [...cutReasons, ...weighed]
    if (reasons.length > 0) {
      const { added, removed, changed } = reported(differences)
      const { id, ref } = await quarantineSnapshot(tx, written({ added, removed, changed }), reasons)
      await writeRun(tx, { ...this.runSoFar(), status: 'held', snapshotId: id, reasons })
      const { accepted } = staged
      return { status: 'held', snapshot_ref: ref, reasons, accepted, added, removed, changed }
    }
    onProgress?.({ step: 'applying', rows: tally.rows })
    const { snapshotId, ...outcome } = await applySnapshot(tx, snapshot, differences, tally, written)
    await writeRun(tx, { ...this.runSoFar(), status: 'applied', snapshotId })
    await writeSignalCount(tx, snapshotId, outcome.signals ?? 0)
    return { ...outcome, accepted: staged.accepted }
  }
}
