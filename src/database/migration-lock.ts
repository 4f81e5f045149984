import pg from 'pg'
import { isLockTimeout, UnfitDatabase } from './errors.ts'
import { messageSocket } from './message-socket.ts'

/** Every Baize that migrates a database takes this advisory lock first; any number serves, it is only ever compared. */
const migrationLockKey = 7_203_114_902

/** The longest that one start waits for another's migrations. */
const lockWaitMs = 60_000

/**
 * Runs `work` while no other process migrates this database. Kysely's own lock does not cover what comes before a
 * migration, the making of schemas and extensions, and those statements fail when two run them at once.
 */
export async function withMigrationLock<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...connection,
    // The first connection of a start: whatever else listens at its address is told from PostgreSQL.
    stream: messageSocket,
    options: `-c lock_timeout=${lockWaitMs}`,
  })
  client.on('error', () => {}) // the query under way fails with it
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLockKey])
    return await work(client)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new UnfitDatabase(
      `Another process has been migrating this database, or using its tables, for ${lockWaitMs / 1000} seconds; try again later.`,
      { cause: error },
    )
  } finally {
    await client.end() // and with the session its lock
  }
}
