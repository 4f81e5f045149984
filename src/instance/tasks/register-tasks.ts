import type { NetworkSettings } from '@baize/outbound'
import type { RenderPage } from '@baize/register-fetcher'
import type { Stream } from '@baize/registers'
import type { Logger } from 'pino'
import type { World } from '../../database/open.ts'
import { addJob, PermanentFailure, type Task } from '../../jobs/index.ts'
import { type FetchReport, fetchRegister } from '../../registers/acquire/fetch-register.ts'
import { listDueProbes } from '../../registers/acquire/list-due-probes.ts'
import { probeRegister } from '../../registers/acquire/probe-register.ts'
import { findWatch, listDueWatches } from '../../registers/acquire/watch-register.ts'
import { recurring } from './recurring-task.ts'

const fetchTask = 'fetch_register'
const probeTask = 'probe_register'
/** Retries an unreachable source for about an hour. Then it waits for its next due time. */
const fetchAttemptsMax = 6
const fetchRetryAfterMs = 2 * 60_000
/** A probe has few attempts, because it is repeated in the next night. */
const probeAttemptsMax = 2
/** Spreads requests, so that not all installations query a regulator in the same second. */
const spreadMsMaxDefault = 30_000

export type RegisterTaskOptions = {
  findStream: (world: World, key: string) => Promise<Stream | undefined> | Stream | undefined
  network: NetworkSettings
  /** Undefined where pages are not rendered. */
  render?: RenderPage | undefined
  now: () => Date
  spreadMsMax?: number
}

export function registerTasks(options: RegisterTaskOptions): Task[] {
  return [watchRegisters(options), fetchWatched(options), probeStream(options)]
}

function watchRegisters({ now, spreadMsMax = spreadMsMaxDefault }: RegisterTaskOptions): Task {
  return recurring('watch_registers', async ({ world }) => {
    const add = (task: string, stream: string, attemptsMax: number) =>
      addJob(world.database, {
        task,
        payload: { stream },
        key: `${task} ${stream}`,
        attemptsMax,
        delayMs: Math.round(Math.random() * spreadMsMax),
      })
    for (const { stream } of await listDueWatches(world, now()))
      await add(fetchTask, stream, fetchAttemptsMax)
    for (const stream of await listDueProbes(world, now())) await add(probeTask, stream, probeAttemptsMax)
  })
}

/**
 * Probes streams that an operator has probed and does not watch. The coverage shows whether they could be
 * watched.
 */
function probeStream({ findStream, network, render, now }: RegisterTaskOptions): Task<{ stream: string }> {
  return {
    name: probeTask,
    attemptsMax: probeAttemptsMax,
    retryAfterMs: fetchRetryAfterMs,
    async run({ stream: key }, { world, log, signal }) {
      const stream = await findStream(world, key)
      if (stream === undefined) throw new PermanentFailure(`stream ${key} no longer exists`)
      const { is_well, rows, changes, reasons } = await probeRegister(world, stream, {
        network,
        render,
        signal,
        now: now(),
      })
      const fields = { stream: key, rows, changes, reasons }
      if (is_well) log.info(fields, 'register probed')
      else log.warn(fields, 'a register does not probe well')
    },
  }
}

function fetchWatched({ findStream, network, render, now }: RegisterTaskOptions): Task<{ stream: string }> {
  return {
    name: fetchTask,
    attemptsMax: fetchAttemptsMax,
    retryAfterMs: fetchRetryAfterMs,
    async run({ stream: key }, { world, log, signal }) {
      const watch = await findWatch(world, key)
      if (watch === undefined) return // The operator no longer watches the register.
      const stream = await findStream(world, key)
      if (stream === undefined) throw new PermanentFailure(`stream ${key} no longer exists`)
      const report = await fetchRegister(world, stream, {
        ...(watch.isOfficial ? {} : { urls: watch.urls }),
        now: now(),
        network,
        render,
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
