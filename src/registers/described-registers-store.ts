import { sql } from 'kysely'
import type { Database } from '../database/open.ts'

export type StoredDescription = { stream: string; description: string; described_at: Date }

export async function writeDescription(database: Database, entry: StoredDescription): Promise<void> {
  await sql`
    insert into described_registers (stream, description, described_at)
    values (${entry.stream}, ${entry.description}, ${entry.described_at})
    on conflict (stream) do update
       set description = excluded.description,
           described_at = excluded.described_at`.execute(database)
}

export async function readDescriptions(database: Database): Promise<StoredDescription[]> {
  const { rows } = await sql<StoredDescription>`
    select stream, description, described_at from described_registers order by stream collate "C"`.execute(
    database,
  )
  return rows
}
