import type { World } from '../../database/open.ts'
import { OutboundError, type OutboundReason } from '../../outbound/index.ts'
import { confirmSnapshot } from '../apply/confirm-snapshot.ts'
import { writeRun } from '../apply/runs-store.ts'
import type { SyncOptions } from '../apply/sync-options.ts'
import { syncRegister } from '../apply/sync-register.ts'
import { type SyncReport, syncReport } from '../apply/sync-report.ts'
import { lockStream, prepareTransaction } from '../apply/sync-transaction-store.ts'
import { contentDigest } from '../snapshot/content-digest.ts'
import { readLastSnapshot } from '../snapshot/snapshot-store.ts'
import { Tally } from '../snapshot/tally.ts'
import type { Stream } from '../stream.ts'
import { type FetchFilesOptions, fetchFiles } from './fetch-files.ts'
import {
  readWatch,
  recordFailure,
  recordFetched,
  recordNotModified,
  type WatchedFiles,
} from './watch-store.ts'

const waitMsMax = 240_000

/** `signal` stops the fetching, but not the applying. */
export type FetchRegisterOptions = FetchFilesOptions & Pick<SyncOptions, 'onProgress'> & { now: Date }

type FetchReport = SyncReport & {
  fetch: 'fetched' | 'not_modified' | OutboundReason
  try_again: boolean
}

/** "Not modified" confirms the last applied snapshot; a failed request is a refused run. */
export async function fetchRegister(
  world: World,
  stream: Stream,
  options: FetchRegisterOptions,
): Promise<FetchReport> {
  const fetching = new Fetching(world, stream, options)
  try {
    return await fetching.run()
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === 'stopped') throw error
    return fetching.refuse(error)
  }
}

class Fetching {
  readonly #world: World
  readonly #stream: Stream
  readonly #options: FetchRegisterOptions
  readonly #start = performance.now()
  #watch: WatchedFiles | null = null

  constructor(world: World, stream: Stream, options: FetchRegisterOptions) {
    this.#world = world
    this.#stream = stream
    this.#options = options
  }

  async run(): Promise<FetchReport> {
    const watch = await readWatch(this.#world.database, this.#stream)
    this.#watch = isForUrls(watch, this.#options.urls) ? watch : null
    const fetched = await fetchFiles(this.#options, this.#watch?.validators ?? [])
    if (fetched !== null) return this.#sync(fetched)
    const confirmed = await this.#confirm()
    if (confirmed !== null) return confirmed
    // Another snapshot was applied meanwhile, so "not modified" no longer refers to the last one.
    const whole = await fetchFiles(this.#options, [])
    if (whole === null) throw new Error('An unconditional request was answered "not modified".')
    return this.#sync(whole)
  }

  async refuse(error: OutboundError): Promise<FetchReport> {
    const { database } = this.#world
    const reasons = [error.message]
    await writeRun(database, { ...this.#runSoFar(), status: 'refused', snapshotId: null, reasons })
    if (this.#watch !== null) await recordFailure(database, this.#stream.key, this.#options.now)
    const refused = syncReport(this.#stream.key, this.#ms() / 1000, new Tally(), {
      status: 'refused',
      snapshot_ref: null,
      reasons,
    })
    return { ...refused, fetch: error.reason, try_again: error.isTransient }
  }

  async #sync(fetched: NonNullable<Awaited<ReturnType<typeof fetchFiles>>>): Promise<FetchReport> {
    await using snapshot = fetched
    const { now: at, onProgress } = this.#options
    const report = await syncRegister(this.#world, this.#stream, snapshot.files, {
      // The files date from the request; facts are known from their arrival.
      takenAt: at,
      now: this.#runSoFar().finishedAt,
      ...(onProgress === undefined ? {} : { onProgress }),
    })
    const isRefused = report.status === 'refused'
    if (this.#watch !== null) {
      const { database } = this.#world
      const { snapshot_ref: snapshotRef } = report
      const { validators } = snapshot
      if (isRefused) await recordFailure(database, this.#stream.key, at)
      else {
        const contentSha256 = await contentDigest(snapshot.files)
        await recordFetched(database, this.#stream.key, { at, snapshotRef, contentSha256, validators })
      }
    }
    return { ...report, fetch: 'fetched', try_again: isRefused }
  }

  /** Null if another snapshot or parser than that of the validators is the last one by now. */
  #confirm(): Promise<FetchReport | null> {
    const { key, parserVersion } = this.#stream
    const takenAt = this.#options.now
    return this.#world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, waitMsMax)
      await lockStream(tx, key)
      const last = await readLastSnapshot(tx, key)
      const isUnchanged = last?.id === this.#watch?.snapshotId && last?.parserVersion === parserVersion
      if (last === undefined || !isUnchanged || takenAt < last.takenAt) return null
      const run = this.#runSoFar()
      const outcome = await confirmSnapshot(tx, last, { takenAt, at: run.finishedAt, run })
      await recordNotModified(tx, key, takenAt)
      return {
        ...syncReport(key, this.#ms() / 1000, new Tally(), outcome),
        fetch: 'not_modified',
        try_again: false,
      }
    })
  }

  #ms(): number {
    return Math.round(performance.now() - this.#start)
  }

  #runSoFar() {
    const { now: startedAt } = this.#options
    return { stream: this.#stream.key, startedAt, finishedAt: new Date(startedAt.getTime() + this.#ms()) }
  }
}

function isForUrls(watch: WatchedFiles | undefined, urls: readonly string[]): watch is WatchedFiles {
  return (
    watch !== undefined &&
    watch.urls.length === urls.length &&
    watch.urls.every((url, at) => url === urls[at])
  )
}
