import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { importStream } from '../../journal/events-store.ts'
import type { StagedTables } from '../read/staged-row.ts'
import { namesCompanies } from './map-keys-store.ts'

/**
 * A Company that a line names by its ref, and one of its identities, because a replay generates other refs.
 */
export type NamedByRef = { ref: string; stream: string; identity_key: string }

export async function readNamedByRef(tx: Transaction, staged: StagedTables): Promise<NamedByRef[]> {
  if (!namesCompanies(staged)) return []
  const { rows } = await sql<NamedByRef>`
    select distinct on (mapped.key) mapped.key as ref, identity.stream, identity.identity_key
      from mapped_companies mapped
      join company_identities identity on identity.company_id = mapped.company_id
     where not mapped.has_identity
       and not mapped.is_new
       and (identity.stream, identity.identity_key) <> (${importStream}, mapped.key)
     order by mapped.key, identity.stream collate "C", identity.identity_key collate "C"`.execute(tx)
  return rows
}

export async function restoreRefs(database: Database, named: readonly NamedByRef[]): Promise<void> {
  for (const { ref, stream, identity_key } of named) {
    await sql`
      update companies company
         set company_ref = ${ref}
        from company_identities identity
       where identity.company_id = company.id
         and identity.stream = ${stream}
         and identity.identity_key = ${identity_key}`.execute(database)
  }
}
