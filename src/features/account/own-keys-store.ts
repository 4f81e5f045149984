import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type OwnKey = {
  id: number
  key_ref: string
  name: string | null
  last_four: string
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  replaced_at: Date | null
  /** Since it was replaced, at most `countedMax`; null: it was not. */
  requests_since_replaced: number | null
}

const countedMax = 1_000

/** The keys of an account that are not deleted, the newest first. */
export async function readOwnKeys(database: Database | Transaction, accountId: number): Promise<OwnKey[]> {
  const { rows } = await sql<OwnKey>`
    select key.id, key.key_ref, key.name, key.last_four, key.created_at, key.expires_at, key.last_used_at,
           key.replaced_at, since.requests as requests_since_replaced
      from api_keys key
      left join lateral (
        select count(*) as requests
          from (
            select 1
              from usage_records record
             where record.account_id = key.account_id
               and record.requested_at > key.replaced_at
               and record.key_id = key.id
             limit ${countedMax}
          ) counted
      ) since on key.replaced_at is not null
     where key.account_id = ${accountId}
       and key.revoked_at is null
     order by key.id desc`.execute(database)
  return rows
}

/** Other changes of the account's keys wait. */
export async function lockOwnKeys(tx: Transaction, accountId: number): Promise<OwnKey[]> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx)
  return readOwnKeys(tx, accountId)
}

/** The key that the same form has created; undefined: none. */
export async function findCreated(
  tx: Transaction,
  accountId: number,
  nonce: string,
): Promise<{ key_ref: string; name: string | null } | undefined> {
  return tx
    .selectFrom('api_keys')
    .select(['key_ref', 'name'])
    .where('account_id', '=', accountId)
    .where('creation_nonce', '=', nonce)
    .executeTakeFirst()
}

export async function markReplaced(tx: Transaction, id: number, now: Date): Promise<void> {
  await tx.updateTable('api_keys').set({ replaced_at: now }).where('id', '=', id).execute()
}
