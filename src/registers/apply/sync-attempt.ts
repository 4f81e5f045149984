import type { Stream } from '@baize/registers'
import type { RawFile, RecordTally, SnapshotVersion } from '@baize/registers/guard'
import {
  checkOrder,
  contentDigest,
  noteGrowth,
  reasonsOfBrokenFiles,
  reportedDifferences,
  someConsistsOfLines,
} from '@baize/registers/guard'
import { Refusal } from '@baize/tables'
import type { Transaction, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { compareSnapshot } from '../changes/compare-snapshot.ts'
import type { RegisterFile } from '../file-on-disk.ts'
import { findEarlierSame, servedAgain } from '../guard/baseline-store.ts'
import { checkGuard } from '../guard/check-guard.ts'
import { recordDifference } from '../guard/difference-examples-store.ts'
import { findDiscardedReason } from '../snapshot/discarded-store.ts'
import { quarantineAgain, quarantineSnapshot } from '../snapshot/quarantine-store.ts'
import type { AppliedSnapshot, StoredSnapshot } from '../snapshot/snapshot.ts'
import { readLastSnapshot, writeSignalCount } from '../snapshot/snapshot-store.ts'
import { stageSnapshot } from '../snapshot/stage-snapshot.ts'
import { storedSources, storeRawFiles } from '../snapshot/store-files.ts'
import { findQuarantined, readQuarantined } from '../snapshot/stored-snapshots-store.ts'
import { applySnapshot, type SnapshotToApply } from './apply-snapshot.ts'
import { confirmSnapshot } from './confirm-snapshot.ts'
import { applyTime, followsGap, type IncomingSnapshot, isOtherForm } from './incoming-snapshot.ts'
import { writeRun } from './runs-store.ts'
import { writeStreamDetails } from './streams-store.ts'
import type { SyncOptions } from './sync-options.ts'
import { reportedRows, type SyncOutcome } from './sync-report.ts'
import { beginReading, lockStream, prepareTransaction, undoReading } from './sync-transaction-store.ts'

/** Exceeds the longest sync measured (1,000,000 new domains on two busy cores, 180 s). */
const waitMsMaxDefault = 240_000

type AttemptInput = {
  world: World
  stream: Stream
  files: readonly RegisterFile[]
  options: SyncOptions
  tally: RecordTally
  /** The value of `performance.now()` at the start of the sync. */
  start: number
}

type UnreadSnapshot = {
  incoming: Omit<IncomingSnapshot, 'emitsSignals' | 'followsGap' | 'isOtherForm'>
  sources: readonly RegisterFile[]
  files: readonly RawFile[]
  contentSha256: Buffer
  last: AppliedSnapshot | undefined
  /** Reasons to quarantine the snapshot that its bytes show. */
  fileReasons: readonly string[]
  /** The same snapshot, if it is already quarantined. */
  again?: StoredSnapshot | undefined
}

export class SyncAttempt {
  readonly #input: AttemptInput

  constructor(input: AttemptInput) {
    this.#input = input
  }

  runSoFar() {
    const { stream, options, start } = this.#input
    const finishedAt = new Date(options.now.getTime() + Math.round(performance.now() - start))
    return { stream: stream.key, startedAt: options.now, finishedAt, reasons: [] as string[] }
  }

  /** Returns `corrected` if the last snapshot was corrected, and the files have yet to be synced. */
  async run(): Promise<SyncOutcome | 'corrected'> {
    const { world, stream, files, options } = this.#input
    const contentSha256 = await contentDigest(files)
    return world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, options.waitMsMax ?? waitMsMaxDefault)
      await lockStream(tx, stream.key)
      const outcome = await this.#decide(tx, contentSha256)
      await writeStreamDetails(tx, stream)
      return outcome
    })
  }

  async #decide(tx: Transaction, contentSha256: Buffer): Promise<SyncOutcome | 'corrected'> {
    const { takenAt, now } = this.#input.options
    const { key, parserVersion } = this.#input.stream
    const last = await readLastSnapshot(tx, key)
    const version = { takenAt, contentSha256, parserVersion }
    const order = checkOrder({ ...version, now }, last)
    const again = await findQuarantined(tx, key, version)
    await this.#refuseDiscarded(tx, version)
    if (last !== undefined && last.parserVersion !== parserVersion) {
      if (again !== undefined) return this.#quarantinedAgain(tx, again)
      const quarantined = await readQuarantined(tx, key)
      const isCorrected = quarantined?.isCorrection && quarantined.parserVersion === parserVersion
      return isCorrected ? this.#quarantinedAgain(tx, quarantined) : this.#correct(tx, last)
    }
    if (again === undefined && last !== undefined && order === 'unchanged')
      return confirmSnapshot(tx, last, { takenAt, at: now, run: this.runSoFar() })
    return this.#readNew(tx, contentSha256, last, again)
  }

  /**
   * Refuses a discarded file, because each night would quarantine it again. A person can still sync it by
   * hand.
   */
  async #refuseDiscarded(tx: Transaction, version: SnapshotVersion): Promise<void> {
    const { stream, options } = this.#input
    if (!options.isFetched) return
    const reason = await findDiscardedReason(tx, { ...version, stream: stream.key })
    if (reason !== null) throw new Refusal(`The same file was discarded: ${reason}`)
  }

  async #quarantinedAgain(tx: Transaction, snapshot: StoredSnapshot): Promise<SyncOutcome> {
    const { id, reasons, added, removed, changed } = snapshot
    await writeRun(tx, { ...this.runSoFar(), status: 'held', snapshotId: id, reasons })
    return {
      status: 'held',
      snapshot_ref: snapshot.snapshotRef,
      reasons,
      ...reportedRows(snapshot),
      added,
      removed,
      changed,
    }
  }

  /**
   * The guard checks `again` anew, because another stream may have lost the wrong file that was its reason.
   */
  async #readNew(
    tx: Transaction,
    contentSha256: Buffer,
    last: AppliedSnapshot | undefined,
    again: StoredSnapshot | undefined,
  ): Promise<SyncOutcome> {
    const { stream, files: sources, options } = this.#input
    await beginReading(tx)
    const files = await storeRawFiles(tx, sources)
    const lastFiles = last?.files ?? null
    const lastSnapshot = lastFiles && { files: lastFiles, sources: storedSources(tx, lastFiles) }
    const fileReasons = await reasonsOfBrokenFiles({ stream, files, sources, last: lastSnapshot })
    const incoming = {
      stream,
      takenAt: options.takenAt,
      previousTakenAt: last?.takenAt ?? null,
      now: applyTime(options.now, last),
      isCorrection: false,
      isBackfill: options.isBackfill ?? false,
    }
    return this.#readAndApply(tx, { incoming, sources, files, contentSha256, last, fileReasons, again })
  }

  /** Reads the last snapshot's files with today's parser. Differences become corrections, not Signals. */
  async #correct(tx: Transaction, last: AppliedSnapshot): Promise<SyncOutcome | 'corrected'> {
    const { stream, options } = this.#input
    const { takenAt, files, contentSha256 } = last
    const outcome = await this.#readAndApply(tx, {
      incoming: {
        stream,
        takenAt,
        previousTakenAt: takenAt,
        now: applyTime(options.now, last),
        isCorrection: true,
        isBackfill: options.isBackfill ?? false,
      },
      sources: storedSources(tx, files),
      files,
      contentSha256,
      last,
      fileReasons: [],
    })
    return outcome.status === 'applied' ? 'corrected' : outcome
  }

  async #readAndApply(tx: Transaction, unread: UnreadSnapshot): Promise<SyncOutcome> {
    const { stream, options, tally } = this.#input
    const { sources, files, contentSha256, last, fileReasons, incoming } = unread
    const { onProgress } = options
    const staged = await stageSnapshot(tx, stream.read(sources), tally, rows =>
      onProgress?.({ step: 'reading', rows }),
    )
    const endsInsideRecord = tally.endsUnparsable && files.some(file => !file.ends_line)
    const cutReasons = endsInsideRecord ? ['the last row is incomplete: the file may be cut off'] : []
    const { accepted, figures, rowsSha256 } = staged
    const snapshot = {
      ...incoming,
      emitsSignals: last !== undefined,
      followsGap: !incoming.isCorrection && followsGap(stream, incoming, last),
      isOtherForm: !incoming.isCorrection && isOtherForm(tally.form, last),
    }
    noteGrowth(tally, figures, last?.figures ?? null)
    await lockFacts(tx)
    const differences = await compareSnapshot(tx, snapshot)
    tally.addNotices('license changed in unreported details only', differences.license.restated)
    const toStore = {
      ...snapshot,
      approvedRef: null,
      parserVersion: stream.parserVersion,
      contentSha256,
      files,
      form: tally.form,
      rowsSha256,
      figures,
      ...tally.readRows,
    }
    const isWhole = !(await someConsistsOfLines(sources))
    const isDemo = sources.every(source => source.isDemo === true)
    const compared = { snapshot, figures, differences, last, contentSha256, isDemo, isWhole }
    const guardReasons = await checkGuard(tx, compared)
    const earlier =
      options.isFetched && last && !incoming.isCorrection
        ? await findEarlierSame(tx, last, { contentSha256, rowsSha256 })
        : null
    const servedReasons = earlier === null ? [] : [servedAgain(earlier)]
    const reasons = [...fileReasons, ...servedReasons, ...cutReasons, ...guardReasons]
    const toApply = { snapshot, differences, tally, toStore }
    if (reasons.length > 0)
      return { ...(await this.#quarantine(tx, toApply, reasons, unread.again)), accepted }
    if (last !== undefined && hasSameRows(last, toStore) && !snapshot.isOtherForm) {
      await undoReading(tx)
      const at = options.now
      const confirmed = await confirmSnapshot(tx, last, {
        takenAt: incoming.takenAt,
        at,
        run: this.runSoFar(),
      })
      return { ...confirmed, ...reportedRows(tally) }
    }
    return { ...(await this.#apply(tx, toApply)), accepted }
  }

  async #quarantine(
    tx: Transaction,
    snapshot: SnapshotToApply,
    reasons: string[],
    again: StoredSnapshot | undefined,
  ): Promise<SyncOutcome> {
    const { toStore } = snapshot
    const counts = reportedDifferences(snapshot.differences)
    const waiting = await readQuarantined(tx, toStore.stream.key)
    let stored: { id: number; ref: string }
    if (again === undefined && waiting !== undefined && hasSameRows(waiting, toStore)) {
      // Both have the same difference, because both follow the last applied snapshot.
      await undoReading(tx)
      stored = await quarantineAgain(tx, waiting, counts, { reasons })
    } else {
      const findings = { reasons, ...(await recordDifference(tx, snapshot.snapshot, snapshot.differences)) }
      stored =
        again === undefined
          ? await quarantineSnapshot(tx, { ...toStore, ...counts }, findings)
          : await quarantineAgain(tx, again, counts, findings)
    }
    const { id, ref } = stored
    await writeRun(tx, { ...this.runSoFar(), status: 'held', snapshotId: id, reasons })
    return { status: 'held', snapshot_ref: ref, reasons, ...counts }
  }

  async #apply(tx: Transaction, snapshot: SnapshotToApply): Promise<SyncOutcome> {
    this.#input.options.onProgress?.({ step: 'applying', rows: snapshot.tally.rows })
    const { snapshotId, outcome } = await applySnapshot(tx, snapshot)
    await writeRun(tx, { ...this.runSoFar(), status: 'applied', snapshotId })
    await writeSignalCount(tx, snapshotId, outcome.signals ?? 0)
    return outcome
  }
}

type ReadVersion = Pick<StoredSnapshot, 'rowsSha256' | 'parserVersion'> & { isCorrection?: boolean }
type RowsToStore = Pick<SnapshotToApply['toStore'], 'rowsSha256' | 'parserVersion' | 'isCorrection'>

/** Compares rows, because pages and workbooks differ in each download and their rows do not. */
function hasSameRows(stored: ReadVersion, read: RowsToStore): boolean {
  return (
    stored.rowsSha256.equals(read.rowsSha256) &&
    stored.parserVersion === read.parserVersion &&
    !read.isCorrection &&
    stored.isCorrection !== true
  )
}
