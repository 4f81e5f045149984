import type { FileStore } from '../core/file-store.ts'
import type { Database } from '../database/open.ts'
import {
  expireExports,
  failExport,
  listUnfinished,
  sweepExportFiles,
  writeExport,
  writeJobKey,
  writeTask,
} from '../features/exports/index.ts'
import { addJob, findJobs, Postpone, type Task } from '../jobs/index.ts'

/** With its pauses an export whose store is away is tried for about ten minutes. */
const writeRetryAfterMs = 5_000
/** Most exports are written within seconds. */
const creditsAwaitedMs = 3_000
/** A store that has to be asked over a network is not listed every minute. */
const sweepEveryMs = 60 * 60_000

export type ExportTaskOptions = {
  files: FileStore
  logoUrl: string
  now: () => Date
  writeRetryAfterMs?: number
  sweepEveryMs?: number
  /** Told what an export was charged, when it is complete. */
  onCharged?: (credits: number) => void
}

/** Writing exports, and what goes on with them by itself. */
export function exportTasks(options: ExportTaskOptions): Task[] {
  return [writeExports(options), tendExports(options)]
}

function writeExports(options: ExportTaskOptions): Task<{ export: number }> {
  const { files, logoUrl, now, onCharged } = options
  return {
    name: writeTask.name,
    attemptsMax: writeTask.attemptsMax,
    retryAfterMs: options.writeRetryAfterMs ?? writeRetryAfterMs,
    async run({ export: id }, { world, log, signal }) {
      const written = await writeExport(world, id, { files, logoUrl, now, signal })
      if (written === 'waits')
        throw new Postpone('other exports of the account hold its credits', creditsAwaitedMs)
      if (written === null) return // complete already, or another attempt's
      onCharged?.(written.credits)
      log.info(
        { export: id, rows: written.rows, credits: written.credits, bytes: written.bytes },
        'export written',
      )
    },
  }
}

function tendExports(options: ExportTaskOptions): Task {
  const { files, now } = options
  const everyMs = options.sweepEveryMs ?? sweepEveryMs
  let sweptAtMs = Number.NEGATIVE_INFINITY
  return {
    name: 'tend_exports',
    attemptsMax: 1,
    retryAfterMs: 0,
    everyMinute: true,
    async run(_payload, { world: { database }, log }) {
      const failed = await tendUnfinished(database)
      for (const { id, failure } of failed)
        log.error({ export: id, reason: failure }, 'an export failed; nothing was charged')
      const expired = await expireExports(database, files, now())
      if (expired > 0) log.info({ exports: expired }, 'exports expired')
      // An export that failed has no next attempt, which would take what the last one left.
      if (failed.length === 0 && performance.now() - sweptAtMs < everyMs) return
      const swept = await sweepExportFiles(database, files)
      sweptAtMs = performance.now()
      if (swept > 0) log.info({ files: swept }, 'files of exports that nobody names were removed')
    },
  }
}

/**
 * Ends the exports whose job has failed for good, and queues those that have none: they were asked for before the queue
 * was there, or lost it. Tells those that failed.
 */
async function tendUnfinished(database: Database): Promise<{ id: number; failure: string }[]> {
  const unfinished = await listUnfinished(database)
  if (unfinished.length === 0) return []
  const jobs = new Map(
    (await findJobs(database, unfinished.map(writeJobKey))).map(job => [job.key, job] as const),
  )
  const failed: { id: number; failure: string }[] = []
  for (const id of unfinished) {
    const job = jobs.get(writeJobKey(id))
    if (job === undefined) {
      await addJob(database, {
        task: writeTask.name,
        payload: { export: id },
        key: writeJobKey(id),
        attemptsMax: writeTask.attemptsMax,
        delayMs: 0,
      })
    } else if (job.state === 'failed') {
      const failure = job.last_error ?? 'the worker ended in the middle of it'
      if (await failExport(database, id, failure)) failed.push({ id, failure })
    }
  }
  return failed
}
