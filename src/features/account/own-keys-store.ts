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
}

/** The keys of an account that are not deleted, the newest first. */
export async function readOwnKeys(database: Database | Transaction, accountId: number): Promise<OwnKey[]> {
  return database
    .selectFrom('api_keys')
    .select(['id', 'key_ref', 'name', 'last_four', 'created_at', 'expires_at', 'last_used_at', 'replaced_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/**
 * The requests of replaced keys since they were: of the day of the change and of days that are not summed up
 * from the records, of others from the sums. Keys without a request are left out.
 */
export async function requestsSinceReplaced(
  database: Database,
  accountId: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; requests: number }>`
    with replaced as materialized (
      select id, replaced_at, ((replaced_at at time zone 'UTC')::date + 1) as next_day,
             coalesce((select max(day) + 1 from summed_days), '-infinity') as unsummed_day
        from api_keys
       where account_id = ${accountId}
         and revoked_at is null
         -- Others were not called since. Processes write both, and their clocks may differ.
         and last_used_at > replaced_at - interval '1 hour'
    )
    select replaced.id, sum(counted.requests)::bigint as requests
      from replaced
     cross join lateral (
       select sum(stored.requests) as requests
         from usage_days stored
        where stored.account_id = ${accountId}
          and stored.day >= replaced.next_day
          and stored.key_id = replaced.id
       union all
       select count(*)
         from usage_records record
        where record.account_id = ${accountId}
          and record.requested_at > replaced.replaced_at
          and record.requested_at < replaced.next_day::timestamp at time zone 'UTC'
          and record.key_id = replaced.id
       union all
       select count(*)
         from usage_records record
        where record.account_id = ${accountId}
          and record.requested_at
              >= greatest(replaced.next_day, replaced.unsummed_day)::timestamp at time zone 'UTC'
          and record.key_id = replaced.id
     ) counted
     group by replaced.id`.execute(database)
  return new Map(rows.map(({ id, requests }) => [id, requests]))
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

/** Calls are counted from the first time on. */
export async function markReplaced(tx: Transaction, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ replaced_at: now })
    .where('id', '=', id)
    .where('replaced_at', 'is', null)
    .execute()
}
