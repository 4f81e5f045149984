import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

/** The lock of the sweep, shared by both worlds because they share the stored files. */
const sweepLock = sql`hashtextextended('baize logo files', 0)`

/** Blocks the sweep. Call this before storing files whose rows are not committed yet. */
export async function blockLogoSweep(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sweepLock})`.execute(tx)
}

/** Blocks imports until this transaction ends. Returns false if an import is running. */
export async function tryLockLogoSweep(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${sweepLock}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export async function readUnreferenced(database: Database, fileNames: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`
    select stored.file_name
      from unnest(${[...fileNames]}::text[]) as stored (file_name)
     where not exists (select from public.logos logo where logo.file_name = stored.file_name)
       and not exists (select from demo.logos logo where logo.file_name = stored.file_name)`.execute(database)
  return rows.map(row => row.file_name)
}
