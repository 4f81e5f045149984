import { linkingKey } from '@baize/names'
import { sql } from 'kysely'
import type { World } from '../../database/open.ts'

const rowsAtOnce = 5_000

/** Computes the linking keys of names that an earlier version stored. */
export async function fillNameKeys({ database }: World): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ stream: string; identity_key: string; legal_entity: string }>`
      select stream, identity_key, legal_entity
        from company_identities
       where name_key is null
         and legal_entity is not null
         and (stream = 'import' or subject_kind <> 'unknown')
       order by stream, identity_key
       limit ${rowsAtOnce}`.execute(database)
    if (rows.length === 0) return
    await sql`
      update company_identities identity
         set name_key = line.name_key
        from unnest(
          ${rows.map(row => row.stream)}::text[], ${rows.map(row => row.identity_key)}::text[],
          ${rows.map(row => linkingKey(row.legal_entity))}::text[]
        ) as line (stream, identity_key, name_key)
       where (identity.stream, identity.identity_key) = (line.stream, line.identity_key)`.execute(database)
  }
}
