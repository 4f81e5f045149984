import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

/** Of both worlds, which share the stored files. */
const logoFiles = sql`hashtextextended('baize logo files', 0)`

/** Until this transaction ends no stored file is swept: it stores files that no row names before it commits. */
export async function blockLogoSweep(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${logoFiles})`.execute(tx)
}

/** Until this transaction ends nobody stores files; false: somebody does now. */
export async function tryLockLogoSweep(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${logoFiles}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

/** Which of these files no image is, of whatever status, neither for customers nor in the demo world. */
export async function readUnreferenced(database: Database, fileNames: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`
    select stored.file_name
      from unnest(${[...fileNames]}::text[]) as stored (file_name)
     where not exists (select from public.logos logo where logo.file_name = stored.file_name)
       and not exists (select from demo.logos logo where logo.file_name = stored.file_name)`.execute(database)
  return rows.map(row => row.file_name)
}
