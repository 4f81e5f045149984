import pg from 'pg'
import { isLockTimeout, UnfitDatabase } from './errors.ts'
import { messageSocket } from './message-socket.ts'

/** An arbitrary number. */
const migrationLockKey = 7_203_114_902

const lockWaitMs = 60_000

/** Two processes that create the same schema or extension at once would fail. */
export async function withMigrationLock<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...connection,
    // The first connection of a start: messageSocket reports a server that is not PostgreSQL.
    stream: messageSocket,
    options: `-c lock_timeout=${lockWaitMs}`,
  })
  client.on('error', () => {}) // the running query fails with it
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
    await client.end() // releases the lock
  }
}
