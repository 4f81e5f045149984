import { once } from 'node:events'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Settings, SettingsError } from '../config/settings.ts'
import { migrate } from '../database/migrate.ts'
import { endFactChange } from '../features/facts/index.ts'
import { catchUpLogoSubjects } from '../features/logos/index.ts'
import { catchUpSearch } from '../features/search/index.ts'
import { openFileStore, requireFilePlace } from '../files/index.ts'
import { type OpenedService, openService } from '../http/open-service.ts'
import { buildServer } from '../http/server.ts'
import type { Worker } from '../jobs/index.ts'
import { openInstanceDatabase } from './database.ts'
import { createQueueMetrics, createWorkMetrics } from './job-metrics.ts'
import { loadDemoWorld } from './load-demo-world.ts'
import { CannotListen } from './operator-message.ts'
import { createRegisterMetrics } from './register-metrics.ts'
import { requirePort } from './require-port.ts'
import { startHousekeeping } from './start-housekeeping.ts'
import { claimWhenFree } from './wait-for-directory.ts'
import { startJobs } from './work.ts'

const redisConnectTimeoutMs = 500

export type Instance = {
  url: string
  service: OpenedService
  /** Finishes what is in flight, then stops the database and gives the data directory free. */
  stop(): Promise<void>
  /** Resolves when the embedded database ended by itself, and the instance with it is of no use. */
  failed: Promise<Error>
}

/**
 * A whole instance: claim, database, migrations, demo world, service, listening, jobs. What was started before a failure
 * is given back in reverse order; stopping does the same. Without `jobs` it answers, and leaves the work to others. `stopping` ends
 * its wait for a command that has the directory.
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
      onWait: who => log.info(`waiting for ${who}`),
      stopping,
    })
    undo.push(() => claim.release())
    await requirePort(settings.host, settings.port)
    await requireFilePlace(settings.files)
    const database = await openInstanceDatabase(settings, line => log.info(line))
    undo.push(() => database.stop())
    const { applied } = await migrate(database.connection, undefined, pending =>
      log.info({ migrations: pending.length }, 'migrating the database; answers come when that is done'),
    )
    if (applied.length > 0) log.info({ migrations: applied.length }, 'database migrated')
    const { connection, replica } = database
    const files = openFileStore(settings.files)
    const service = openService({ connection, replica, settings, files, log })
    undo.push(() => service.close())
    await loadDemoWorld(service.demo, files)
    for (const world of [service.live, service.demo]) {
      await catchUpSearch(world, tx => {
        log.info('bringing the search rows up to date; answers come when that is done')
        return endFactChange(tx)
      })
      await catchUpLogoSubjects(world)
    }
    const housekeeping = await startHousekeeping(service)
    undo.push(() => housekeeping.stop())
    const redis = await connectRedis(settings.redisUrl, log)
    if (redis !== null) undo.push(() => redis.disconnect())
    const server = await buildServer(service, { redis })
    let worker: Worker | null = null
    // Requests and jobs finish beside each other: the time for both is short.
    undo.push(() => Promise.all([server.close(), worker?.stop()]))
    await server.listen({ host: settings.host, port: settings.port }).catch(cause => {
      throw new CannotListen('PORT', cause)
    })
    await claim.announce({ url: settings.baseUrl, database: database.running })
    createRegisterMetrics(service.metrics.registry, service.live.database)
    createQueueMetrics(service.metrics.registry, service.live.database)
    // Last, so that the first answer does not wait for it.
    if (jobs) {
      const { now } = service
      const told = createWorkMetrics(service.metrics)
      worker = await startJobs({ connection, settings, files, log, now, ...told })
    }
    return { url: settings.baseUrl, service, stop, failed: database.unexpectedEnd }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The client is loaded where one is asked for: it is 7 MB of a process that is meant to stay small. */
async function connectRedis(url: string | null, log: Logger): Promise<Redis | null> {
  if (url === null) return null
  const { Redis } = await import('ioredis')
  // No queue while it is away: a request passes unthrottled at once, and does not wait for it.
  const redis = new Redis(url, {
    connectTimeout: redisConnectTimeoutMs,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  })
  redis.on('error', error => log.warn({ err: error }, 'redis is away; requests are not throttled meanwhile'))
  try {
    // One that is away may come; one that answers, and refuses, will not change its mind.
    await once(redis, 'ready', { signal: AbortSignal.timeout(2 * redisConnectTimeoutMs) })
    await redis.select(Number(new URL(url).pathname.slice(1)))
  } catch (error) {
    if ((error as Error).name !== 'ReplyError') return redis
    redis.disconnect()
    throw new SettingsError(
      'REDIS_URL',
      `a database and a password that Redis takes (${(error as Error).message})`,
      '…',
    )
  }
  return redis
}
