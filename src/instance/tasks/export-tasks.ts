import type { FileStore } from '@baize/files'
import type { Database } from '../../database/open.ts'
import {
  expireExports,
  failExport,
  listUnfinishedExports,
  sweepExportFiles,
  writeExport,
  writeJobKey,
  writeTask,
} from '../../features/exports/index.ts'
import { addJob, findJobs, Postpone, type Task } from '../../jobs/index.ts'
import { recurring } from './recurring-task.ts'

/**
 * Doubles with each retry, so that an export with an unreachable file store is retried for about ten
 * minutes.
 */
const writeRetryAfterMs = 5_000
/** Most exports release their credits within seconds. */
const creditsRetryAfterMs = 3_000
/** Limits the sweeps, because listing a bucket is a network request. */
const sweepEveryMs = 60 * 60_000

export type ExportTaskOptions = {
  files: FileStore
  logoUrl: string
  now: () => Date
  writeRetryAfterMs?: number
  sweepEveryMs?: number
  onCharged?: (credits: number) => void
}

export function exportTasks(options: ExportTaskOptions): Task[] {
  return [writeExports(options), maintainExports(options)]
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
        throw new Postpone('other exports of the account have reserved its credits', creditsRetryAfterMs)
      if (written === null) return // The export is already complete, or another attempt is writing it.
      onCharged?.(written.credits)
      log.info(
        { export: id, rows: written.rows, credits: written.credits, bytes: written.bytes },
        'export written',
      )
    },
  }
}

function maintainExports(options: ExportTaskOptions): Task {
  const { files, now } = options
  const everyMs = options.sweepEveryMs ?? sweepEveryMs
  let sweptAtMs = Number.NEGATIVE_INFINITY
  return recurring('tend_exports', async ({ world: { database }, log }) => {
    const failed = await requeueUnfinished(database)
    for (const { id, failure } of failed)
      log.error({ export: id, reason: failure }, 'an export failed; nothing was charged')
    const expired = await expireExports(database, files, now())
    if (expired > 0) log.info({ exports: expired }, 'exports expired')
    // After a failure the sweep runs at once, because no further attempt removes the files of the last one.
    if (failed.length === 0 && performance.now() - sweptAtMs < everyMs) return
    const removed = await sweepExportFiles(database, files)
    sweptAtMs = performance.now()
    if (removed > 0) log.info({ files: removed }, 'unreferenced export files were removed')
  })
}

/**
 * Fails exports whose job has failed, and queues exports whose job is missing. Returns the failed exports.
 */
async function requeueUnfinished(database: Database): Promise<{ id: number; failure: string }[]> {
  const unfinished = await listUnfinishedExports(database)
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
