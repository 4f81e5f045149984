import { isDeepStrictEqual } from 'node:util'
import {
  claimDataDirectory,
  findRunning,
  isLocked,
  type RunningInstance,
  waitForDirectory,
} from '@baize/data-directory'
import type pg from 'pg'
import type { Settings } from '../../config/settings.ts'
import { connectionTo, type DatabaseLog, openInstanceDatabase } from './database.ts'
import { refuseStrayDatabase } from './stray-database.ts'

export type SharedDatabase = {
  connection: pg.PoolConfig
  close(): Promise<void>
  /** Resolves when the embedded database is lost: it ended, or its service stopped and did not return. */
  lost: Promise<Error>
}

export type SharedDatabaseOptions = {
  /** Other commands may share the database that a worker starts, but not that of a command. */
  as: 'command' | 'worker'
  log?: DatabaseLog
  onWait?: (owner: string) => void
  waitMsMax?: number
  stopping?: AbortSignal | undefined
  /** The time that a service may be down, for instance to restart, before its database counts as lost. */
  awayMsMax?: number
}

const servicePollMs = 1_000
const never = new Promise<Error>(() => {})

/**
 * Uses DATABASE_URL, the database of the process on DATA_DIR, or starts an embedded one. Waits for a command,
 * because its database stops with it. Fails with DataDirectoryInUse after the wait.
 */
export async function openSharedDatabase(
  settings: Settings,
  { as, log, onWait, waitMsMax, stopping, awayMsMax = 15_000 }: SharedDatabaseOptions,
): Promise<SharedDatabase> {
  const { databaseUrl, dataDirectory } = settings
  if (databaseUrl !== null)
    return {
      connection: connectionTo({ url: databaseUrl }, 'primary', log),
      close: async () => {},
      lost: never,
    }
  const found = await waitForDirectory(
    async () => {
      const running = await findRunning(dataDirectory)
      if (running !== null) return running
      if (!isLocked(dataDirectory)) await refuseStrayDatabase(settings)
      return claimDataDirectory(dataDirectory, { isCommand: as === 'command' })
    },
    { waitMsMax, onWait, stopping },
  )
  if ('database' in found) return join(found, dataDirectory, awayMsMax)
  const undo: (() => Promise<void>)[] = [() => found.release()]
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const database = await openInstanceDatabase(settings, log ?? null)
    undo.push(() => database.stop())
    if (as === 'worker') await found.announce({ url: null, database: database.running })
    return { connection: database.connection, close, lost: database.unexpectedEnd }
  } catch (error) {
    await close()
    throw error
  }
}

function join(joined: RunningInstance, dataDirectory: string, awayMsMax: number): SharedDatabase {
  const connection = connectionTo(joined.database)
  // An external server keeps running when the service stops.
  if ('url' in joined.database) return { connection, close: async () => {}, lost: never }
  const { promise: lost, resolve: report } = Promise.withResolvers<Error>()
  let seenAt = Date.now()
  const watch = setInterval(
    async () => {
      const running = await findRunning(dataDirectory).catch(() => null)
      if (isDeepStrictEqual(running?.database, joined.database)) seenAt = Date.now()
      else if (Date.now() - seenAt >= awayMsMax)
        report(new Error(`Process ${joined.pid} ran the database, has stopped, and was not restarted.`))
    },
    Math.min(servicePollMs, awayMsMax),
  )
  watch.unref()
  const close = async () => clearInterval(watch)
  return { connection, close, lost }
}
