import { withClient } from './client.ts'
import type { TestDatabase } from './database.ts'

/** Cuts all connections of a test's database, and refuses new ones until the returned function is called. */
export async function takeDatabaseAway({ connection }: TestDatabase): Promise<() => Promise<void>> {
  const name = String(connection.database)
  const allow = (isAllowed: boolean) =>
    withClient({ ...connection, database: 'postgres' } as object, async client => {
      await client.query(`alter database ${name} allow_connections ${isAllowed}`)
      if (isAllowed) return
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })
  await allow(false)
  return () => allow(true)
}
