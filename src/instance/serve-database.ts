import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { DirectoryClaim } from '@baize/data-directory'
import { openFileStore } from '@baize/files'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { SettingsError } from '../config/read-variable.ts'
import type { Settings } from '../config/settings.ts'
import type { World } from '../database/open.ts'
import { shipBrandDomains } from '../features/brands/index.ts'
import { fillNameKeys } from '../features/companies/index.ts'
import { endFactChange } from '../features/facts/index.ts'
import { catchUpLogoSubjects } from '../features/logos/index.ts'
import { createFirstKey } from '../features/receipts/index.ts'
import { shipRegimes } from '../features/regimes/index.ts'
import { catchUpSearch } from '../features/search/index.ts'
import { type OpenedService, openService } from '../http/open-service.ts'
import { buildServer } from '../http/server.ts'
import type { Worker } from '../jobs/index.ts'
import { judgeStoredEntries, recordFacts } from '../registers/index.ts'
import { commandVariables } from './command-variables.ts'
import type { InstanceDatabase } from './directory/database.ts'
import { noteService } from './directory/stray-database.ts'
import { loadDemo } from './load-demo.ts'
import { isLoopback } from './loopback.ts'
import {
  createQueueMetrics,
  createRegisterMetrics,
  createRendererMetrics,
  createWorkMetrics,
} from './metrics.ts'
import { openSources } from './open-sources.ts'
import { CannotListen } from './operator-message.ts'
import { startHousekeeping } from './start-housekeeping.ts'
import { startJobs } from './work.ts'

const redisConnectTimeoutMs = 500
const redisAnswerTimeoutMs = 1_000

type Serving = {
  settings: Settings
  log: Logger
  claim: DirectoryClaim
  /** The migrated database. */
  database: InstanceDatabase
  jobs: boolean
  onStep: (step: string) => void
  /** Receives the steps that undo what this function does. */
  undo: (() => Promise<unknown> | unknown)[]
}

/** Brings a migrated database up to date with the code, then answers requests and runs jobs. */
export async function serveDatabase(serving: Serving): Promise<OpenedService> {
  const { settings, log, claim, database, jobs, onStep, undo } = serving
  const { connection, replica } = database
  const files = openFileStore(settings.files)
  const sources = (live: World) => openSources(settings, live, () => new Date())
  const edge = { ...settings, commandVariables: shownVariables(settings) }
  const service = openService({ connection, replica, settings: edge, files, log, sources })
  undo.push(() => service.close())
  await loadDemo(service.demo, files)
  onStep('The demo world is loaded.')
  for (const world of [service.live, service.demo]) {
    await judgeStoredEntries(world, () =>
      log.info('judging blocklist entries by new rules; requests are served afterwards'),
    )
    await catchUpSearch(world, tx => {
      log.info('rebuilding outdated search rows; requests are served afterwards')
      return endFactChange(tx)
    })
    await catchUpLogoSubjects(world)
    await fillNameKeys(world)
    await recordFacts(world, { onlyRead: world === service.demo })
  }
  await shipRegimes(service.live, service.now())
  await createFirstKey(service.live, service.now())
  await shipBrandDomains(service.live, service.now())
  const housekeeping = await startHousekeeping(service)
  undo.push(() => housekeeping.stop())
  const redis = await connectRedis(settings.redisUrl, log)
  if (redis !== null) undo.push(() => redis.disconnect())
  const server = await buildServer(service, { redis })
  let worker: Pick<Worker, 'stop'> | null = null
  // Both close in parallel, because the time to stop is limited.
  undo.push(() => Promise.all([server.close(), worker?.stop()]))
  await noteService(settings)
  let started = false
  service.readiness.add(() => (started ? null : 'the service is starting'))
  const stopping = new AbortController()
  service.readiness.add(() => (stopping.signal.aborted ? 'the service is stopping' : null))
  await server.listen({ host: settings.host, port: settings.port }).catch(cause => {
    throw new CannotListen('PORT', cause)
  })
  await claim.announce({ url: settings.baseUrl, database: database.running })
  createRegisterMetrics(service.metrics.registry, service.live.database)
  createQueueMetrics(service.metrics.registry, service.live.database)
  createRendererMetrics(service.metrics.registry, service.live.database)
  // Jobs start last, so that no request waits for them. Loading modules may overload the process until
  // then.
  if (jobs) {
    const { now } = service
    const metrics = createWorkMetrics(service.metrics)
    worker = await startJobs({ connection, settings, files, log, now, ...metrics })
  }
  started = true
  // Until then a load balancer sees /readyz, and sends requests elsewhere.
  undo.push(() => {
    stopping.abort()
    return pause(settings.stopDelaySeconds * 1_000)
  })
  return service
}

/** Returns the variables only on loopback, because elsewhere people who sign in are not the operator. */
const shownVariables = (settings: Settings): string[] =>
  isLoopback(new URL(settings.baseUrl).hostname) ? commandVariables(settings) : []

/** Loads the Redis client on demand, because it needs 7 MB. */
async function connectRedis(url: string | null, log: Logger): Promise<Redis | null> {
  if (url === null) return null
  const { Redis } = await import('ioredis')
  // The offline queue is off, so that requests pass unthrottled without waiting while Redis is unreachable. A
  // Redis that is silent while commands wait, such as a frozen one, is disconnected.
  const redis = new Redis(url, {
    connectTimeout: redisConnectTimeoutMs,
    commandTimeout: redisAnswerTimeoutMs,
    socketTimeout: redisAnswerTimeoutMs,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  })
  redis.on('error', error => log.warn({ err: error }, 'redis is unreachable; requests are not throttled'))
  try {
    // An unreachable server may return. One that rejects the credentials or the database fails the start.
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
