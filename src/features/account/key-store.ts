import type { PointRead } from '@baize/postgres'
import { sql } from 'kysely'
import { hashKey } from '../../core/api-key.ts'
import type { PlanName } from '../../core/operation.ts'
import { newRef } from '../../core/ref.ts'
import type { Database, RowOf, Transaction } from '../../database/open.ts'

export type KeyRow = RowOf<
  'api_keys',
  'key_ref' | 'name' | 'last_four' | 'created_at' | 'expires_at' | 'revoked_at' | 'last_used_at'
>

export type NewKey = {
  accountId: number
  key: string
  name: string | null
  expiresAt: Date | null
  /** The nonce of the form; a form that is sent twice creates one key. */
  nonce?: string
}

/** Stores the hash and the last four characters of a key, never the key itself. */
export async function insertKey(database: Database | Transaction, key: NewKey): Promise<string> {
  const row = await database
    .insertInto('api_keys')
    .values({
      key_ref: newRef('key'),
      account_id: key.accountId,
      key_sha256: hashKey(key.key),
      last_four: key.key.slice(-4),
      name: key.name,
      expires_at: key.expiresAt,
      creation_nonce: key.nonce ?? null,
    })
    .returning('key_ref')
    .executeTakeFirstOrThrow()
  return row.key_ref
}

export async function keyExists(tx: Transaction, key: string): Promise<boolean> {
  const row = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('key_sha256', '=', hashKey(key))
    .executeTakeFirst()
  return row !== undefined
}

export function listKeys(database: Database, accountId: number): Promise<KeyRow[]> {
  return database
    .selectFrom('api_keys')
    .select(['key_ref', 'name', 'last_four', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}

/** Returns undefined if no such key exists. Revoking again does not change the time. */
export async function markRevoked(tx: Transaction, keyRef: string, now: Date) {
  const { rows } = await sql<RowOf<'api_keys', 'account_id' | 'name' | 'last_four'>>`
    update api_keys
       set revoked_at = coalesce(revoked_at, ${now})
     where key_ref = ${keyRef}
    returning account_id, name, last_four`.execute(tx)
  return rows[0]
}

export type AuthenticatedKey = {
  hash: string
  key_id: number
  account_id: number
  account_ref: string
  plan: PlanName
  expires_at: Date | null
}

/** Reads keys that are not revoked by their SHA-256 in hex. */
export const authenticatedKeys: PointRead<AuthenticatedKey> = {
  name: 'authenticated_keys',
  text: `
    select encode(key.key_sha256, 'hex') as hash, key.id as key_id, key.account_id, account.account_ref,
           account.plan, key.expires_at
      from unnest($1::text[]) as wanted (hash)
     cross join lateral (select * from api_keys where key_sha256 = decode(wanted.hash, 'hex') offset 0) key
     cross join lateral (select * from accounts where id = key.account_id offset 0) account
     where key.revoked_at is null`,
  keyOf: row => row.hash,
}

/** Sets `last_used_at` of the keys, to the minute. */
export async function recordKeyUse(database: Database, keyIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update api_keys
       set last_used_at = date_trunc('minute', ${now}::timestamptz)
     where id = any (${[...keyIds]}::bigint[])
       and (last_used_at is null or last_used_at < date_trunc('minute', ${now}::timestamptz))`.execute(
    database,
  )
}
