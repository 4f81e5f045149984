import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { StandbyWatch } from '@baize/postgres'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import { migrate } from '../database/migrate.ts'
import { openWorld } from '../database/open.ts'
import { serveMetrics } from '../http/health/health.ts'
import { createMetrics } from '../http/health/metrics.ts'
import { startWorker, type Task, type Worker } from '../jobs/index.ts'
import { findKnownStream } from '../registers/index.ts'
import { openSharedDatabase, type SharedDatabaseOptions } from './directory/shared-database.ts'
import { createWorkMetrics, type WorkReports } from './metrics.ts'
import { asRun, openPageRenderer, reportRendering } from './open-page-renderer.ts'
import { CannotListen } from './operator-message.ts'
import { checkSites, checksAtOnceMax, tendChecks, tendSites } from './tasks/check-tasks.ts'
import { exportTasks } from './tasks/export-tasks.ts'
import { housekeepingTasks } from './tasks/housekeeping-tasks.ts'
import { lobbiesAtOnceMax, seeLobbies, tendLobbies } from './tasks/lobby-tasks.ts'
import { sweepLogos } from './tasks/logo-tasks.ts'
import { notifyPortfolios } from './tasks/portfolio-tasks.ts'
import { registerTasks } from './tasks/register-tasks.ts'
import { screenPortfolios } from './tasks/screening-tasks.ts'
import { mailSignInLinks } from './tasks/sign-in-mail-tasks.ts'
import { carryOutDecisions } from './tasks/snapshot-decision-tasks.ts'

export type JobOptions = Partial<WorkReports> & {
  connection: pg.PoolConfig
  settings: Pick<
    Settings,
    'network' | 'observation' | 'rendering' | 'baseUrl' | 'logoUrl' | 'usageKeepMonths' | 'mail'
  >
  files: FileStore
  log: Logger
  now?: () => Date
}

/** Runs checks of sites in a separate worker, so that they and registers do not wait for each other. */
export async function startJobs(options: JobOptions): Promise<Pick<Worker, 'stop'>> {
  const { settings, files, onCharged, onCheck, now = () => new Date(), ...rest } = options
  const { baseUrl, logoUrl, mail, usageKeepMonths, network } = settings
  const workers: Worker[] = []
  const renderer = openPageRenderer(settings, () => void workers[0]?.report())
  const checking = { settings, files, now, renderer, ...(onCheck === undefined ? {} : { onCheck }) }
  const worker = await startWorker({
    ...rest,
    report: reportRendering(renderer, now),
    tasks: [
      ...housekeepingTasks({ now, usageKeepMonths }),
      tendChecks({ now }),
      tendLobbies({ now }),
      ...tendSites(checking),
      ...registerTasks({ findStream: findKnownStream, network, render: asRun(renderer), now }),
      sweepLogos({ files, now }),
      mailSignInLinks({ mail, baseUrl, now }),
      notifyPortfolios({ mail, baseUrl, network, now }),
      screenPortfolios({ now }),
      carryOutDecisions({ now }),
      ...exportTasks({ files, logoUrl, now, ...(onCharged === undefined ? {} : { onCharged }) }),
    ],
  })
  workers.push(worker)
  const stop = async () => {
    // A visit that is under way may end, or is stopped with its job, which another worker repeats.
    await Promise.all(workers.map(each => each.stop()))
    await renderer.close()
  }
  const start = async (tasks: readonly Task[], jobsAtOnce: number) =>
    void workers.push(await startWorker({ ...rest, tasks, jobsAtOnce, connectionsPerJob: 1, tends: false }))
  try {
    await start([checkSites(checking)], checksAtOnceMax)
    await start([seeLobbies({ renderer, country: settings.observation.country, now })], lobbiesAtOnceMax)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type Working = {
  stop(): Promise<void>
  /** Resolves when the embedded database ended unexpectedly, or its service stopped. */
  failed: Promise<Error>
}

/** Runs jobs without serving requests. `stopping` aborts its waits; tests set `awayMsMax`. */
export async function work(
  settings: Settings,
  log: Logger,
  { stopping, ...options }: Pick<SharedDatabaseOptions, 'awayMsMax' | 'stopping'> = {},
): Promise<Working> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const database = await openSharedDatabase(settings, {
      as: 'worker',
      log,
      onWait: owner => log.info(`waiting for ${owner}`),
      ...options,
      stopping,
    })
    undo.push(() => database.close())
    const { connection, lost: failed } = database
    // This may wait long for another process's migration, and aborting the wait is safe.
    await unlessStopped(migrate(connection), stopping)
    await warnOfLoss(connection, log)
    const metrics = createMetrics()
    const workMetrics = createWorkMetrics(metrics)
    const worker = await startJobs({
      connection,
      settings,
      files: openFileStore(settings.files),
      log,
      ...workMetrics,
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

/** A worker charges exports. API processes repeat this check. */
async function warnOfLoss(connection: pg.PoolConfig, log: Logger): Promise<void> {
  const world = openWorld('public', { connection, connectionsMax: 1 })
  try {
    const standbys = new StandbyWatch(world.database, connection.servers)
    await standbys.check()
    if (standbys.warning !== null) log.warn(standbys.warning)
  } finally {
    await world.close()
  }
}

async function unlessStopped<Result>(
  promise: Promise<Result>,
  stopping: AbortSignal | undefined,
): Promise<Result> {
  if (stopping === undefined) return promise
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(stopping.reason)
  stopping.addEventListener('abort', stop)
  if (stopping.aborted) stop()
  return Promise.race([promise, stopped]).finally(() => stopping.removeEventListener('abort', stop))
}
