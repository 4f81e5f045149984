import type { Logger } from 'pino'
import type { NetworkSettings } from '../core/network-settings.ts'
import type { World } from '../database/open.ts'
import { addJob, PermanentFailure, type Task } from '../jobs/index.ts'
import { type FetchReport, fetchRegister } from '../registers/fetch/fetch-register.ts'
import { findWatch, listDueWatches } from '../registers/fetch/watch-register.ts'
import { listDueProbes } from '../registers/official/list-due-probes.ts'
import { probeRegister } from '../registers/official/probe-register.ts'
import type { Stream } from '../registers/stream.ts'

/** An unreachable source is retried for about an hour, and then at its next due time. */
const fetchAttemptsMax = 6
const fetchRetryAfterMs = 2 * 60_000
/** A probe is repeated in the next night anyway. */
const probeAttemptsMax = 2
/** Spreads requests, so that not all installations query a regulator in the same second. */
const spreadMsMaxDefault = 30_000

export type RegisterTaskOptions = {
  findStream: (world: World, key: string) => Promise<Stream | undefined> | Stream | undefined
  network: NetworkSettings
  now: () => Date
  spreadMsMax?: number
}

export function registerTasks(options: RegisterTaskOptions): Task[] {
  return [watchRegisters(options), fetchWatched(options), probeStream(options)]
}

function watchRegisters({ now, spreadMsMax = spreadMsMaxDefault }: RegisterTaskOptions): Task {
  return {
    name: 'watch_registers',
    attemptsMax: 1,
    retryAfterMs: 0,
    everyMinute: true,
    async run(_payload, { world }) {
      for (const { stream } of await listDueWatches(world, now())) {
        await addJob(world.database, {
          task: 'fetch_register',
          payload: { stream },
          key: `fetch_register ${stream}`,
          attemptsMax: fetchAttemptsMax,
          delayMs: Math.round(Math.random() * spreadMsMax),
        })
      }
      for (const stream of await listDueProbes(world, now())) {
        await addJob(world.database, {
          task: 'probe_register',
          payload: { stream },
          key: `probe_register ${stream}`,
          attemptsMax: probeAttemptsMax,
          delayMs: Math.round(Math.random() * spreadMsMax),
        })
      }
    },
  }
}

/** Of streams that an operator has probed and does not watch: the coverage shows whether they could be. */
function probeStream({ findStream, network, now }: RegisterTaskOptions): Task<{ stream: string }> {
  return {
    name: 'probe_register',
    attemptsMax: probeAttemptsMax,
    retryAfterMs: fetchRetryAfterMs,
    async run({ stream: key }, { world, log, signal }) {
      const stream = await findStream(world, key)
      if (stream === undefined) throw new PermanentFailure(`stream ${key} no longer exists`)
      const { is_well, rows, changes, reasons } = await probeRegister(world, stream, {
        network,
        signal,
        now: now(),
      })
      const fields = { stream: key, rows, changes, reasons }
      if (is_well) log.info(fields, 'register probed')
      else log.warn(fields, 'a register does not probe well')
    },
  }
}

function fetchWatched({ findStream, network, now }: RegisterTaskOptions): Task<{ stream: string }> {
  return {
    name: 'fetch_register',
    attemptsMax: fetchAttemptsMax,
    retryAfterMs: fetchRetryAfterMs,
    async run({ stream: key }, { world, log, signal }) {
      const watch = await findWatch(world, key)
      if (watch === undefined) return // no longer wanted
      const stream = await findStream(world, key)
      if (stream === undefined) throw new PermanentFailure(`stream ${key} no longer exists`)
      const report = await fetchRegister(world, stream, {
        ...(watch.isOfficial ? {} : { urls: watch.urls }),
        now: now(),
        network,
        signal,
      })
      warnOfChanges(report, log)
      const { status, fetch, reasons, rows, added, removed, changed, signals } = report
      const fields = { stream: key, status, fetch, rows, added, removed, changed, signals }
      if (status === 'held')
        log.warn({ ...fields, snapshot: report.snapshot_ref, reasons }, 'a register snapshot awaits approval')
      else if (status !== 'refused') log.info(fields, 'register fetched')
      else if (report.try_again) throw new Error(reasons.join('; '))
      else throw new PermanentFailure(reasons.join('; '))
    },
  }
}

function warnOfChanges({ stream, layout_changes: changes }: FetchReport, log: Logger): void {
  if (changes.length > 0) log.warn({ stream, changes }, 'the layout of a register has changed')
}
