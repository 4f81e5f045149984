import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

export type SavedPage = { id: number; name: string; address: string }

const savedMax = 200

/** Lists what an account saved, by name; with `of` only the pages of that search, or that page. */
export async function readSavedPages(database: Database, accountId: number, of = ''): Promise<SavedPage[]> {
  const { rows } = await sql<SavedPage>`
    select id, name, address from saved_pages
     where account_id = ${accountId} and (${of} = '' or split_part(address, '?', 1) = ${of})
     order by lower(name), id`.execute(database)
  return rows
}

/** Saves a page, or gives a saved one another name. Returns false where the account has too many. */
export async function insertSavedPage(
  database: Database,
  { accountId, name, address, now }: { accountId: number; name: string; address: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into saved_pages (account_id, name, address, saved_at)
    select ${accountId}, ${name}, ${address}, ${now}
     where (select count(*) from saved_pages where account_id = ${accountId}) < ${savedMax}
    on conflict (account_id, address) do update set name = excluded.name
    returning 1`.execute(database)
  return rows.length > 0
}

/** Returns the address of the deleted page; none if the account has no such page. */
export async function deleteSavedPage(database: Database, accountId: number, id: number) {
  const { rows } = await sql<{ address: string }>`
    delete from saved_pages where account_id = ${accountId} and id = ${id} returning address`.execute(
    database,
  )
  return rows[0]?.address
}
