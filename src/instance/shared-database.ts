import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Settings } from '../config/settings.ts'
import { type Claim, claimDataDirectory, DataDirectoryInUse } from './claim.ts'
import { connectionTo, openInstanceDatabase } from './database.ts'
import { findRunning, type RunningInstance } from './running.ts'

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
  /** How long a service may be away, to be started anew, before what joined it gives up. */
  awayMsMax?: number
}

const turnPollMs = 50
const awayPollMs = 1_000
const never = new Promise<Error>(() => {})

/**
 * The database that DATABASE_URL names, that of the service or worker that runs on DATA_DIR, or the embedded one, started for
 * the caller. Whoever finds a command there, or a start, waits: a command that ends takes its database with it, and would end
 * the work of all who had joined it. Fails with DataDirectoryInUse when the wait has been too long.
 */
export async function openSharedDatabase(
  settings: Settings,
  { as, log = () => {}, onWait, turnWaitMsMax = 60_000, awayMsMax = 15_000 }: SharedDatabaseOptions,
): Promise<SharedDatabase> {
  const { databaseUrl, dataDirectory } = settings
  if (databaseUrl !== null)
    return { connection: connectionTo({ url: databaseUrl }), close: async () => {}, lost: never }
  const taken = await takeTurn(dataDirectory, as, { waitMsMax: turnWaitMsMax, onWait })
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

/** The claim on the directory, or whoever runs on it for others as well. */
async function takeTurn(
  dataDirectory: string,
  as: SharedDatabaseOptions['as'],
  { waitMsMax, onWait = () => {} }: { waitMsMax: number; onWait: SharedDatabaseOptions['onWait'] },
): Promise<Claim | RunningInstance> {
  const began = Date.now()
  for (let waits = 0; ; waits++) {
    const running = await findRunning(dataDirectory)
    if (running !== null) return running
    try {
      return await claimDataDirectory(dataDirectory, { isCommand: as === 'command' })
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || Date.now() - began > waitMsMax) throw error
      if (waits === 0) onWait(error.who)
    }
    await pause(turnPollMs)
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
