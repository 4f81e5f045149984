import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

const challengeMinutes = 5
const challengesDeletedMax = 1_000

/** Stores a challenge. `userId` is null for a sign-in, because the person is not yet known. */
export async function insertChallenge(
  database: Database,
  { challenge, userId, now }: { challenge: string; userId: number | null; now: Date },
): Promise<void> {
  await sql`
    insert into passkey_challenges (challenge, user_id, expires_at)
    values (${challenge}, ${userId},
            ${now}::timestamptz + make_interval(mins => ${challengeMinutes}))`.execute(database)
}

/** Uses a challenge, once. Returns false if it was used, has expired, or is another person's. */
export async function takeChallenge(
  database: Database | Transaction,
  { challenge, userId, now }: { challenge: string; userId: number | null; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    delete from passkey_challenges
     where challenge = ${challenge}
       and user_id is not distinct from ${userId}
       and expires_at > ${now}
    returning 1`.execute(database)
  return rows.length === 1
}

export async function deleteExpiredChallenges(database: Database, now: Date): Promise<number> {
  const { rows } = await sql`
    delete from passkey_challenges
     where challenge in (
       select challenge from passkey_challenges where expires_at <= ${now} limit ${challengesDeletedMax}
     )
    returning 1`.execute(database)
  return rows.length
}

export type Passkey = {
  credential_id: Buffer
  name: string
  created_at: Date
  last_used_at: Date | null
}

export function readPasskeys(database: Database | Transaction, userId: number): Promise<Passkey[]> {
  return database
    .selectFrom('passkeys')
    .select(['credential_id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute()
}

export async function hasPasskey(database: Database, userId: number): Promise<boolean> {
  return (await readPasskeys(database, userId)).length > 0
}

export type NewPasskey = {
  credentialId: Buffer
  userId: number
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
  now: Date
}

/** Stores a passkey. Returns false if it is already registered. */
export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<boolean> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      credential_id: passkey.credentialId,
      user_id: passkey.userId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
      created_at: passkey.now,
    })
    .onConflict(conflict => conflict.column('credential_id').doNothing())
    .returning('credential_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deletePasskey(
  tx: Transaction,
  { userId, credentialId }: { userId: number; credentialId: Buffer },
): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

export type KnownPasskey = {
  user_id: number
  email: string
  public_key: Buffer
  counter: number
  transports: string[]
}

/** Reads and locks a passkey, so that one answer is not used twice at the same time. */
export async function lockPasskey(tx: Transaction, credentialId: Buffer): Promise<KnownPasskey | undefined> {
  const { rows } = await sql<KnownPasskey>`
    select passkey.user_id, person.email, passkey.public_key, passkey.counter, passkey.transports
      from passkeys passkey
      join users person on person.id = passkey.user_id
     where passkey.credential_id = ${credentialId}
       for update of passkey`.execute(tx)
  return rows[0]
}

export async function recordPasskeyUse(
  tx: Transaction,
  { credentialId, counter, now }: { credentialId: Buffer; counter: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('credential_id', '=', credentialId)
    .execute()
}
