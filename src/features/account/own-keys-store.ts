import { sql } from 'kysely'
import type { Database, RowOf, Transaction } from '../../database/open.ts'

export type OwnKey = RowOf<
  'api_keys',
  'id' | 'key_ref' | 'name' | 'last_four' | 'created_at' | 'expires_at' | 'last_used_at' | 'replaced_at'
>

/** Returns the account's keys that are not revoked, the newest first. */
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
 * Counts the requests of each replaced key since its replacement. The day of the change and days without
 * stored sums are counted from usage records. Keys without a request are left out.
 */
export async function requestsSinceReplaced(database: Database, accountId: number) {
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

/** Locks and returns the account's keys. Other changes of its keys wait. */
export async function lockOwnKeys(tx: Transaction, accountId: number): Promise<OwnKey[]> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx)
  return readOwnKeys(tx, accountId)
}

/** Returns the key that the form with this nonce created, or undefined. */
export async function findCreated(tx: Transaction, accountId: number, nonce: string) {
  return tx
    .selectFrom('api_keys')
    .select(['key_ref', 'name'])
    .where('account_id', '=', accountId)
    .where('creation_nonce', '=', nonce)
    .executeTakeFirst()
}

/** Stores when the key was first replaced, because its calls are counted from then on. */
export async function markReplaced(tx: Transaction, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ replaced_at: now })
    .where('id', '=', id)
    .where('replaced_at', 'is', null)
    .execute()
}

/** Returns the account's keys, the newest first. Deleted keys are included if they are in `used`. */
export async function readKeyLabels(database: Database, accountId: number, used: readonly number[]) {
  return database
    .selectFrom('api_keys')
    .select(['id', 'key_ref', 'name', 'last_four'])
    .where('account_id', '=', accountId)
    .where(each => each.or([each('revoked_at', 'is', null), each('id', 'in', [...used, 0])]))
    .orderBy('id', 'desc')
    .execute()
}

/** Finds a key of the account, deleted or not. */
export async function findKeyId(database: Database, accountId: number, keyRef: string) {
  const key = await database
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key_ref', '=', keyRef)
    .executeTakeFirst()
  return key?.id
}
