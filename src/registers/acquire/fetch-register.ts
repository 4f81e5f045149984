import { OutboundError, type OutboundReason } from '@baize/outbound'
import { explainFailure, type FetchFilesOptions, fetchFiles, findFiles } from '@baize/register-fetcher'
import type { Stream } from '@baize/registers'
import { explainRefusals } from '@baize/registers/apart'
import { contentDigest, RecordTally } from '@baize/registers/guard'
import { layoutChanges, unknownColumnsOf } from '@baize/registers/official'
import { Refusal } from '@baize/tables'
import type { World } from '../../database/open.ts'
import { turnsOf } from '../../database/turns-store.ts'
import { confirmSnapshot } from '../apply/confirm-snapshot.ts'
import { writeRun } from '../apply/runs-store.ts'
import type { SyncOptions } from '../apply/sync-options.ts'
import { syncRegister } from '../apply/sync-register.ts'
import { type SyncReport, syncReport } from '../apply/sync-report.ts'
import { lockStream, prepareTransaction } from '../apply/sync-transaction-store.ts'
import { readLastSnapshot } from '../snapshot/snapshot-store.ts'
import { writeProbe } from './probes-store.ts'
import {
  readWatch,
  recordFetched,
  recordNotModified,
  recordWatchFailure,
  type WatchedFiles,
} from './watch-store.ts'

const waitMsMax = 240_000

/** `signal` stops the fetching, but not the applying. */
export type FetchRegisterOptions = Omit<FetchFilesOptions, 'urls' | 'turns'> &
  Pick<SyncOptions, 'onProgress'> & {
    now: Date
    /** The addresses to fetch; by default the official files, which are found first. */
    urls?: readonly string[]
  }

export type FetchReport = SyncReport & {
  fetch: 'fetched' | 'not_modified' | 'not_found' | OutboundReason
  try_again: boolean
  /** The differences from the recorded official layout. */
  layout_changes: string[]
}

type Outcome = Omit<FetchReport, 'layout_changes'>

/**
 * Fetches a register. "Not modified" confirms the last applied snapshot, and a failed request is a refused
 * run.
 */
export async function fetchRegister(
  world: World,
  stream: Stream,
  options: FetchRegisterOptions,
): Promise<FetchReport> {
  const fetching = new Fetching(world, stream, options)
  try {
    return await fetching.run()
  } catch (error) {
    if (error instanceof Refusal)
      return fetching.refuse(error.message, { fetch: 'not_found', try_again: true })
    if (!(error instanceof OutboundError) || error.reason === 'stopped') throw error
    const { reason: fetch, isTransient } = error
    return fetching.refuse(explainFailure(error, stream), { fetch, try_again: isTransient })
  }
}

class Fetching {
  readonly #world: World
  readonly #stream: Stream
  readonly #options: FetchRegisterOptions
  readonly #start = performance.now()
  #watch: WatchedFiles | null = null
  #urls: readonly string[] = []

  constructor(world: World, stream: Stream, options: FetchRegisterOptions) {
    this.#world = world
    this.#stream = stream
    this.#options = options
  }

  async run(): Promise<FetchReport> {
    const { database } = this.#world
    const { urls: given, network, signal } = this.#options
    const turns = turnsOf(database)
    const watch = await readWatch(database, this.#stream)
    this.#watch = isOf(watch, given) ? watch : null
    const urls = given ?? (await findFiles(this.#stream, { turns, network, signal }))
    this.#urls = urls
    const options = { ...this.#options, turns, urls, officialFiles: this.#stream.official.files }
    const isSame = this.#watch !== null && isEqual(this.#watch.foundUrls, urls)
    const fetched = await fetchFiles(options, isSame ? (this.#watch?.validators ?? []) : [])
    if (fetched !== null) return this.#sync(fetched)
    const confirmed = await this.#confirm()
    if (confirmed !== null) return confirmed
    // Another snapshot was applied meanwhile, so "not modified" no longer refers to the last one.
    const whole = await fetchFiles(options, [])
    if (whole === null) throw new Error('An unconditional request was answered "not modified".')
    return this.#sync(whole)
  }

  async refuse(reason: string, outcome: Pick<FetchReport, 'fetch' | 'try_again'>): Promise<FetchReport> {
    const { database } = this.#world
    const reasons = [reason]
    await writeRun(database, { ...this.#runSoFar(), status: 'refused', snapshotId: null, reasons })
    if (this.#watch !== null) await recordWatchFailure(database, this.#stream.key, this.#options.now)
    const refused = syncReport(this.#stream.key, this.#ms() / 1000, new RecordTally(), {
      status: 'refused',
      snapshot_ref: null,
      reasons,
    })
    return this.#probed({ ...refused, ...outcome }, null)
  }

  async #sync(fetched: NonNullable<Awaited<ReturnType<typeof fetchFiles>>>): Promise<FetchReport> {
    await using snapshot = fetched
    const { now: at, onProgress } = this.#options
    const stream = explainRefusals(this.#stream)
    const report = await syncRegister(this.#world, stream, snapshot.files, {
      // The files are dated by the request, but facts are known from their arrival.
      takenAt: at,
      now: this.#runSoFar().finishedAt,
      isFetched: true,
      ...(onProgress === undefined ? {} : { onProgress }),
    })
    const isRefused = report.status === 'refused'
    if (this.#watch !== null) {
      const { database } = this.#world
      const { snapshot_ref: snapshotRef } = report
      const { validators } = snapshot
      if (isRefused) await recordWatchFailure(database, this.#stream.key, at)
      else {
        const contentSha256 = await contentDigest(snapshot.files)
        const fetched = { at, snapshotRef, contentSha256, foundUrls: this.#urls, validators }
        await recordFetched(database, this.#stream.key, fetched)
      }
    }
    return this.#probed({ ...report, fetch: 'fetched', try_again: isRefused }, snapshot.mediaType)
  }

  /** Records a probe, because a fetch that began at the official address has also probed it. */
  async #probed(outcome: Outcome, mediaType: string | null): Promise<FetchReport> {
    const changes = layoutChanges(this.#stream, unknownColumnsOf(outcome))
    const report = { ...outcome, layout_changes: changes }
    if (this.#options.urls !== undefined) return report
    await writeProbe(this.#world.database, this.#stream.key, {
      at: this.#options.now,
      reasons: report.reasons,
      changes,
      foundUrl: this.#urls[0] ?? null,
      mediaType,
      rows: report.status === 'refused' ? null : report.rows,
      newestDate: null,
    })
    return report
  }

  /** Returns null if the last snapshot or the parser is no longer the one of the validators. */
  async #confirm(): Promise<FetchReport | null> {
    const { key, parserVersion } = this.#stream
    const takenAt = this.#options.now
    const confirmed = await this.#world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, waitMsMax)
      await lockStream(tx, key)
      const last = await readLastSnapshot(tx, key)
      const isUnchanged = last?.id === this.#watch?.snapshotId && last?.parserVersion === parserVersion
      if (last === undefined || !isUnchanged || takenAt < last.takenAt) return null
      const run = this.#runSoFar()
      const outcome = await confirmSnapshot(tx, last, { takenAt, at: run.finishedAt, run })
      await recordNotModified(tx, key, takenAt)
      return {
        ...syncReport(key, this.#ms() / 1000, new RecordTally(), outcome),
        fetch: 'not_modified' as const,
        try_again: false,
      }
    })
    return confirmed === null ? null : this.#probed(confirmed, null)
  }

  #ms(): number {
    return Math.round(performance.now() - this.#start)
  }

  #runSoFar() {
    const { now: startedAt } = this.#options
    return { stream: this.#stream.key, startedAt, finishedAt: new Date(startedAt.getTime() + this.#ms()) }
  }
}

/** Returns whether the watch has these addresses, or the official ones if null. */
function isOf(watch: WatchedFiles | undefined, urls: readonly string[] | undefined): watch is WatchedFiles {
  if (watch === undefined) return false
  return urls === undefined ? watch.isOfficial : !watch.isOfficial && isEqual(watch.urls, urls)
}

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((url, at) => url === other[at])
