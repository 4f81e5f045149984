import { isLockTimeout, messageSocket, ServerClient, UnfitDatabase } from '@baize/postgres'
import type pg from 'pg'

/** The number is arbitrary. */
const migrationLockKey = 7_203_114_902

const lockWaitMs = 60_000

/** Holds a lock, because two processes that create the same schema or extension at once would fail. */
export async function withMigrationLock<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new ServerClient({
    ...connection,
    // This connection is the first of a start, so messageSocket reports a server that is not PostgreSQL.
    stream: messageSocket,
    settings: { lock_timeout: String(lockWaitMs) },
  })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLockKey])
    return await work(client)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new UnfitDatabase(
      `Another process has been migrating this database, or locking its tables, for ` +
        `${lockWaitMs / 1000} seconds. Try again later.`,
      { cause: error },
    )
  } finally {
    await client.end() // Ending the connection releases the lock.
  }
}
