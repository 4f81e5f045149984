import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Settings } from '../config/settings.ts'
import { claimDataDirectory } from './claim.ts'
import { connectionTo, openInstanceDatabase } from './database.ts'
import { findRunning, type RunningInstance } from './running.ts'
import { waitForDirectory } from './wait-for-directory.ts'

export type SharedDatabase = {
  connection: pg.PoolConfig
  /** Ends what was started for it; the database of others is left alone. */
  close(): Promise<void>
  /** Resolves when an embedded database is gone for good: one of our own, or that of a service that does not come back. */
  lost: Promise<Error>
}

export type SharedDatabaseOptions = {
  /** A command keeps the database that it starts to itself; that of a worker is there for commands, as a service's is. */
  as: 'command' | 'worker'
  log?: (line: string) => void
  /** Told once, who has the directory, when there is a wait for it. */
  onWait?: (who: string) => void
  turnWaitMsMax?: number
  /** Ends a wait at once, as a failure. */
  stopping?: AbortSignal | undefined
  /** How long a service may be away, to be started anew, before what joined it gives up. */
  awayMsMax?: number
}

const awayPollMs = 1_000
const never = new Promise<Error>(() => {})

/**
 * The database that DATABASE_URL names, that of the service or worker that runs on DATA_DIR, or the embedded one, started for
 * the caller. Whoever finds a command there, or a start, waits: a command that ends takes its database with it, and would end
 * the work of all who had joined it. Fails with DataDirectoryInUse when the wait has been too long.
 */
export async function openSharedDatabase(
  settings: Settings,
  { as, log = () => {}, onWait, turnWaitMsMax, stopping, awayMsMax = 15_000 }: SharedDatabaseOptions,
): Promise<SharedDatabase> {
  const { databaseUrl, dataDirectory } = settings
  if (databaseUrl !== null)
    return { connection: connectionTo({ url: databaseUrl }), close: async () => {}, lost: never }
  const taken = await waitForDirectory(
    async () =>
      (await findRunning(dataDirectory)) ??
      (await claimDataDirectory(dataDirectory, { isCommand: as === 'command' })),
    { waitMsMax: turnWaitMsMax, onWait, stopping },
  )
  if ('database' in taken) return join(taken, dataDirectory, awayMsMax)
  const undo: (() => Promise<void>)[] = [() => taken.release()]
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const database = await openInstanceDatabase(settings, log)
    undo.push(() => database.stop())
    if (as === 'worker') await taken.announce({ url: null, database: database.running })
    return { connection: database.connection, close, lost: database.unexpectedEnd }
  } catch (error) {
    await close()
    throw error
  }
}

function join(joined: RunningInstance, dataDirectory: string, awayMsMax: number): SharedDatabase {
  const connection = connectionTo(joined.database)
  // A server of others stays when the service that named it ends.
  if ('url' in joined.database) return { connection, close: async () => {}, lost: never }
  const { promise: lost, resolve: tell } = Promise.withResolvers<Error>()
  let seenAt = Date.now()
  const watch = setInterval(
    async () => {
      const running = await findRunning(dataDirectory).catch(() => null)
      if (isDeepStrictEqual(running?.database, joined.database)) seenAt = Date.now()
      else if (Date.now() - seenAt >= awayMsMax)
        tell(new Error(`Process ${joined.pid}, whose database this was, has ended and did not come back.`))
    },
    Math.min(awayPollMs, awayMsMax),
  )
  watch.unref()
  const close = async () => clearInterval(watch)
  return { connection, close, lost }
}
