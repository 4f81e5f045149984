import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { ListedTarget } from './listed-contacts.ts'

export type StoredList = { id: number; result: { target_accounts: ListedTarget[] } }

const listsAtOnceMax = 50

/** In id order. Locks the rows of each page. */
export async function* readStoredLists(tx: Transaction): AsyncGenerator<StoredList, void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredList>`
      select id, result
        from prospect_lists
       where id > ${after} and result is not null
       order by id
       limit ${listsAtOnceMax}
         for update`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

export async function rewriteList(tx: Transaction, { id, result }: StoredList): Promise<void> {
  await sql`update prospect_lists set result = ${JSON.stringify(result)}::jsonb where id = ${id}`.execute(tx)
}
