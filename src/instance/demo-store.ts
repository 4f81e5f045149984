import { sql } from 'kysely'
import type { Database, Transaction, World } from '../database/open.ts'

const lockName = 'load_demo'
const lockWaitMs = 30_000

export function withDemoLock(world: World, load: () => Promise<void>): Promise<void> {
  if (world.name !== 'demo') throw new Error('only the demo world can be emptied and loaded')
  return world.database.connection().execute(async connection => {
    const { rows } = await sql<{ earlier: string }>`
      select current_setting('lock_timeout') as earlier`.execute(connection)
    await setLockTimeout(connection, `${lockWaitMs}ms`)
    try {
      await sql`select pg_advisory_lock(hashtext(${lockName}))`.execute(connection)
      try {
        await load()
      } finally {
        await sql`select pg_advisory_unlock(hashtext(${lockName}))`.execute(connection)
      }
    } finally {
      await setLockTimeout(connection, rows[0]?.earlier ?? '')
    }
  })
}

async function setLockTimeout(connection: Database, value: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${value}, false)`.execute(connection)
}

/** Returns the digest of the loaded rows, stored as the schema's comment, or null. */
export async function demoDigest(database: Database): Promise<string | null> {
  const { rows } = await sql<{ digest: string | null }>`
    select obj_description('demo'::regnamespace, 'pg_namespace') as digest`.execute(database)
  return rows[0]?.digest ?? null
}

export async function storeDemoDigest(database: Database, digest: string): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('the digest must be a SHA-256 in hex')
  await sql`comment on schema demo is ${sql.lit(digest)}`.execute(database)
}

/**
 * Inserts the demo's rows. The statements empty the demo's data tables first; secrets and migrations stay.
 */
export async function insertDemoRows(tx: Transaction, statements: string): Promise<void> {
  await sql.raw(statements).execute(tx)
}
