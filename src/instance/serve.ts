import { once } from 'node:events'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { SettingsError } from '../config/read-variable.ts'
import type { Settings } from '../config/settings.ts'
import { migrate } from '../database/migrate.ts'
import type { World } from '../database/open.ts'
import { endFactChange } from '../features/facts/index.ts'
import { catchUpLogoSubjects } from '../features/logos/index.ts'
import { catchUpSearch } from '../features/search/index.ts'
import { openFileStore, requireFilePlace } from '../files/index.ts'
import { type OpenedService, openService } from '../http/open-service.ts'
import { buildServer } from '../http/server.ts'
import type { Worker } from '../jobs/index.ts'
import { judgeStoredEntries, recordFacts } from '../registers/index.ts'
import { commandVariables } from './command-variables.ts'
import { openInstanceDatabase } from './database.ts'
import { createQueueMetrics, createWorkMetrics } from './job-metrics.ts'
import { loadDemoWorld } from './load-demo-world.ts'
import { isLoopback } from './loopback.ts'
import { openSources } from './open-sources.ts'
import { CannotListen } from './operator-message.ts'
import { createRegisterMetrics } from './register-metrics.ts'
import { requirePort } from './require-port.ts'
import { startHousekeeping } from './start-housekeeping.ts'
import { noteService } from './stray-database.ts'
import { claimWhenFree } from './wait-for-directory.ts'
import { startJobs } from './work.ts'

const redisConnectTimeoutMs = 500

export type Instance = {
  service: OpenedService
  stop(): Promise<void>
  /** Resolves when the embedded database ended unexpectedly; the instance must be stopped then. */
  failed: Promise<Error>
}

/**
 * A failure undoes the steps before it in reverse order, as stopping does. Without `jobs`, workers must run
 * them. `stopping` aborts the wait for a command that uses the directory.
 */
export async function serve(
  settings: Settings,
  log: Logger,
  { jobs = true, stopping }: { jobs?: boolean; stopping?: AbortSignal } = {},
): Promise<Instance> {
  const undo: (() => Promise<unknown> | unknown)[] = []
  let ending: Promise<void> | null = null
  const stop = () => {
    ending ??= (async () => {
      for (const step of undo.reverse()) await step()
    })()
    return ending
  }
  try {
    const claim = await claimWhenFree(settings.dataDirectory, {
      onWait: owner => log.info(`waiting for ${owner}`),
      stopping,
    })
    undo.push(() => claim.release())
    await requirePort(settings.host, settings.port)
    await requireFilePlace(settings.files)
    const database = await openInstanceDatabase(settings, log)
    undo.push(() => database.stop())
    const { applied } = await migrate(database.connection, undefined, pending =>
      log.info({ migrations: pending.length }, 'migrating the database; requests are served afterwards'),
    )
    if (applied.length > 0) log.info({ migrations: applied.length }, 'database migrated')
    warnOfPlainHttp(settings.baseUrl, log)
    const { connection, replica } = database
    const files = openFileStore(settings.files)
    const sources = (live: World) => openSources(settings, live, () => new Date())
    const edge = { ...settings, commandVariables: shownVariables(settings) }
    const service = openService({ connection, replica, settings: edge, files, log, sources })
    undo.push(() => service.close())
    await loadDemoWorld(service.demo, files)
    for (const world of [service.live, service.demo]) {
      await judgeStoredEntries(world, () =>
        log.info('judging blocklist entries by new rules; requests are served afterwards'),
      )
      await catchUpSearch(world, tx => {
        log.info('rebuilding outdated search rows; requests are served afterwards')
        return endFactChange(tx)
      })
      await catchUpLogoSubjects(world)
      await recordFacts(world, { onlyRead: world === service.demo })
    }
    const housekeeping = await startHousekeeping(service)
    undo.push(() => housekeeping.stop())
    const redis = await connectRedis(settings.redisUrl, log)
    if (redis !== null) undo.push(() => redis.disconnect())
    const server = await buildServer(service, { redis })
    let worker: Worker | null = null
    // In parallel: the time to stop is limited.
    undo.push(() => Promise.all([server.close(), worker?.stop()]))
    await noteService(settings)
    let started = false
    service.readiness.add(() => (started ? null : 'the service is starting'))
    await server.listen({ host: settings.host, port: settings.port }).catch(cause => {
      throw new CannotListen('PORT', cause)
    })
    await claim.announce({ url: settings.baseUrl, database: database.running })
    createRegisterMetrics(service.metrics.registry, service.live.database)
    createQueueMetrics(service.metrics.registry, service.live.database)
    // Last, so that no request waits for it. Until then a load of modules may make the process overloaded.
    if (jobs) {
      const { now } = service
      const metrics = createWorkMetrics(service.metrics)
      worker = await startJobs({ connection, settings, files, log, now, ...metrics })
    }
    started = true
    return { service, stop, failed: database.unexpectedEnd }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Elsewhere the people who sign in are not the operator, and need not know its paths. */
const shownVariables = (settings: Settings): string[] =>
  isLoopback(new URL(settings.baseUrl).hostname) ? commandVariables(settings) : []

function warnOfPlainHttp(baseUrl: string, log: Logger): void {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    log.warn(
      { base_url: baseUrl },
      'BASE_URL is plain http: keys and sign-ins of the dashboard can be read on the way; set it to https',
    )
}

/** The Redis client is loaded on demand: it takes 7 MB. */
async function connectRedis(url: string | null, log: Logger): Promise<Redis | null> {
  if (url === null) return null
  const { Redis } = await import('ioredis')
  // No offline queue: while Redis is unreachable requests pass unthrottled and do not wait.
  const redis = new Redis(url, {
    connectTimeout: redisConnectTimeoutMs,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  })
  redis.on('error', error => log.warn({ err: error }, 'redis is unreachable; requests are not throttled'))
  try {
    // An unreachable server may return; one that rejects the credentials or the database fails the start.
    await once(redis, 'ready', { signal: AbortSignal.timeout(2 * redisConnectTimeoutMs) })
    await redis.select(Number(new URL(url).pathname.slice(1)))
  } catch (error) {
    if ((error as Error).name !== 'ReplyError') return redis
    redis.disconnect()
    throw new SettingsError(
      'REDIS_URL',
      `a database and a password that Redis accepts (${(error as Error).message})`,
      '…',
    )
  }
  return redis
}
