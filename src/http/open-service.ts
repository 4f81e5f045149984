import type { FileStore } from '@baize/files'
import {
  listen,
  openPool,
  ReadOnlyServer,
  ReplicaWatch,
  StandbyWatch,
  sessionsProblem,
} from '@baize/postgres'
import type pg from 'pg'
import type { Logger } from 'pino'
import { catalogue } from '../catalogue.ts'
import { noSources, type Sources } from '../core/observe.ts'
import { pendingMigrations } from '../database/migrate.ts'
import { openWorld, readDatasetVersion, type World } from '../database/open.ts'
import { KeyRing } from '../features/account/index.ts'
import { CheckWaits, finishedChannel } from '../features/enrichments/index.ts'
import { Settler } from '../metering/settle.ts'
import { UsageWriter } from '../metering/usage-writer.ts'
import { createMetrics, createReplicaMetrics } from './health/metrics.ts'
import { Readiness, sharedFor } from './health/readiness.ts'
import type { EdgeSettings, Service } from './service.ts'

/** Each lane of the settler uses one connection. */
const settlingConnectionsMax = 2
/** While the demo world is loaded, one connection has the lock, one syncs a register, and one reads. */
const demoConnectionsMax = 3

/** Limits the writes of polling /readyz to one a second. */
const probeCountsMs = 1_000
/** A check of the sessions opens two connections. */
const sessionsCountMs = 30_000

export type ServiceOptions = {
  connection: pg.PoolConfig
  replica?: pg.PoolConfig | undefined
  settings: EdgeSettings
  files: FileStore
  log: Logger
  /** Opens the sources. Without this, the service has no sources. */
  sources?: (live: World) => Sources
  now?: () => Date
}

export type OpenedService = Service & { close(): Promise<void> }

/** Opens the service's connections. The database must be migrated. The service does not listen yet. */
export function openService(options: ServiceOptions): OpenedService {
  const { connection, replica, settings, files, log, now = () => new Date() } = options
  let closing = false
  const onError = (error: unknown) => {
    if (!closing) log.warn({ err: error }, 'database connection lost')
  }
  const reads = replica === undefined ? undefined : watchReplica(connection, replica, log)
  const live = openWorld('public', { connection, replica: reads, onError })
  const demo = openWorld('demo', {
    connection,
    replica: reads,
    connectionsMax: demoConnectionsMax,
    onError,
  })
  const metrics = createMetrics()
  if (reads !== undefined) createReplicaMetrics(metrics.registry, reads.watch)
  const settlingPool = openPool(connection, 'public', { connectionsMax: settlingConnectionsMax, onError })
  const settler = new Settler(settlingPool)
  const waits = openWaits(connection, live, settings)
  const keys = new KeyRing(live, error => log.warn({ err: error }, 'last use of keys was not stored'))
  const usage = new UsageWriter(live.database, error => log.error({ err: error }, 'usage records were lost'))
  let current = false
  const readiness = new Readiness([
    askDatabase,
    sharedFor(sessionsCountMs, () => sessionsProblem(connection).catch(databaseProblem)),
    sharedFor(probeCountsMs, probeSettling),
    () => settler.failure(Date.now()),
  ])

  async function askDatabase(): Promise<string | null> {
    try {
      await readDatasetVersion(live.database)
      // Migrations are never undone, so this check is needed only once.
      current ||= (await pendingMigrations(connection)).length === 0
      return current ? null : 'migrations are pending'
    } catch (error) {
      return databaseProblem(error)
    }
  }

  /** Tests a write, because a full disk or a read-only database still answers reads. */
  function probeSettling(): Promise<string | null> {
    return settler.probe().then(
      () => null,
      error => `charges cannot be settled: ${(error as Error).message}`,
    )
  }

  async function close(): Promise<void> {
    closing = true
    await waits.close()
    await settler.idle()
    await usage.flush()
    await keys.close()
    await Promise.all([reads?.watch.close(), live.close(), demo.close(), settlingPool.end()])
  }

  return {
    settings,
    operations: catalogue,
    live,
    demo,
    files,
    settler,
    waits,
    sources: options.sources?.(live) ?? noSources,
    keys,
    usage,
    metrics,
    log,
    readiness,
    standbys: new StandbyWatch(live.database, connection.servers),
    now,
    close,
  }
}

const databaseProblem = (error: unknown) =>
  error instanceof ReadOnlyServer ? error.message : 'the database does not respond'

function watchReplica(connection: pg.PoolConfig, replica: pg.PoolConfig, log: Logger) {
  const onChange = (unfitBecause: string | null) => {
    if (unfitBecause === null) log.info('reading from the replica')
    else log.warn({ reason: unfitBecause }, 'reading from the primary instead of the replica')
  }
  return { connection: replica, watch: new ReplicaWatch({ connection, replica, onChange }) }
}

function openWaits(connection: pg.PoolConfig, live: World, { observation }: EdgeSettings): CheckWaits {
  return new CheckWaits({
    database: live.database,
    listen: options => listen(connection, finishedChannel, options),
    waitMs: observation.waitSeconds * 1_000,
  })
}
