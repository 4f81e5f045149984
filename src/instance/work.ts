import type pg from 'pg'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import type { FileStore } from '../core/file-store.ts'
import { migrate } from '../database/migrate.ts'
import { openFileStore } from '../files/index.ts'
import { createMetrics } from '../http/metrics.ts'
import { serveMetrics } from '../http/metrics-server.ts'
import { type JobOutcome, startWorker, type Worker } from '../jobs/index.ts'
import { findKnownStream } from '../registers/index.ts'
import { exportTasks } from './export-tasks.ts'
import { housekeepingTasks } from './housekeeping-tasks.ts'
import { createWorkMetrics } from './job-metrics.ts'
import { logoTasks } from './logo-tasks.ts'
import { CannotListen } from './operator-message.ts'
import { registerTasks } from './register-tasks.ts'
import { openSharedDatabase, type SharedDatabaseOptions } from './shared-database.ts'

export type JobOptions = {
  connection: pg.PoolConfig
  settings: Pick<Settings, 'outboundAllowHosts' | 'logoUrl' | 'usageKeepMonths'>
  files: FileStore
  log: Logger
  now?: () => Date
  onOutcome?: (task: string, outcome: JobOutcome) => void
  /** Told what an export was charged. */
  onCharged?: (credits: number) => void
}

/** A worker that knows every task there is. */
export function startJobs(options: JobOptions): Promise<Worker> {
  const { settings, files, onCharged, now = () => new Date(), ...rest } = options
  const { logoUrl, outboundAllowHosts: allowedHosts, usageKeepMonths } = settings
  const tasks = [
    ...housekeepingTasks({ now, usageKeepMonths }),
    ...registerTasks({ findStream: findKnownStream, allowedHosts, now }),
    ...logoTasks({ files, now }),
    ...exportTasks({ files, logoUrl, now, ...(onCharged === undefined ? {} : { onCharged }) }),
  ]
  return startWorker({ ...rest, tasks })
}

export type Working = {
  stop(): Promise<void>
  /** Resolves when an embedded database ended by itself, or a service with the one that it had. */
  failed: Promise<Error>
}

/**
 * A process that does jobs and serves nothing: on the database that DATABASE_URL names, on that of the service that runs
 * on DATA_DIR, or else on the embedded one, which is then its own. `stopping` ends its waits at once; `awayMsMax` is for tests.
 */
export async function work(
  settings: Settings,
  log: Logger,
  { stopping, ...patience }: Pick<SharedDatabaseOptions, 'awayMsMax' | 'stopping'> = {},
): Promise<Working> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const database = await openSharedDatabase(settings, {
      as: 'worker',
      log: line => log.info(line),
      onWait: who => log.info(`waiting for ${who}`),
      ...patience,
      stopping,
    })
    undo.push(() => database.close())
    const { connection, lost: failed } = database
    // Behind the migration of another process this may be long, and nothing is lost where it is left.
    await unlessStopped(migrate(connection), stopping)
    const metrics = createMetrics()
    const told = createWorkMetrics(metrics)
    const worker = await startJobs({
      connection,
      settings,
      files: openFileStore(settings.files),
      log,
      ...told,
    })
    undo.push(() => worker.stop())
    const { host, metricsPort: port } = settings
    if (port !== null) {
      const server = await serveMetrics(metrics.registry, { host, port }).catch(cause => {
        throw new CannotListen('METRICS_PORT', cause)
      })
      undo.push(() => server.close())
    }
    log.info('waiting for jobs')
    return { stop, failed }
  } catch (error) {
    await stop()
    throw error
  }
}

async function unlessStopped<Result>(
  waited: Promise<Result>,
  stopping: AbortSignal | undefined,
): Promise<Result> {
  if (stopping === undefined) return waited
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(stopping.reason)
  stopping.addEventListener('abort', stop)
  if (stopping.aborted) stop()
  return Promise.race([waited, stopped]).finally(() => stopping.removeEventListener('abort', stop))
}
