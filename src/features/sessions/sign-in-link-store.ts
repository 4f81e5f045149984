import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { randomBase62 } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'

/** 43 characters: 256 bits. */
const linkLength = 43
export const signInLinkPattern = new RegExp(`^[0-9A-Za-z]{${linkLength}}$`)
export const linkMinutes = 10

const hashOf = (link: string) => createHash('sha256').update(link).digest()

/** Only the hash is stored. Returns the secret end of the link's URL. */
export async function insertLink(
  database: Database | Transaction,
  { userId, now }: { userId: number; now: Date },
): Promise<string> {
  const link = randomBase62(linkLength)
  await database
    .insertInto('sign_in_links')
    .values({
      link_sha256: hashOf(link),
      user_id: userId,
      created_at: now,
      expires_at: new Date(now.getTime() + linkMinutes * 60_000),
    })
    .execute()
  return link
}

/** The address that an unused link signs in. Reading changes nothing: mail scanners open links. */
export async function findLink(database: Database, link: string, now: Date): Promise<string | null> {
  const found = await database
    .selectFrom('sign_in_links')
    .innerJoin('users', 'users.id', 'sign_in_links.user_id')
    .select('users.email')
    .where('link_sha256', '=', hashOf(link))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found?.email ?? null
}

/** Of two simultaneous requests one uses the link. null: it was used, has expired or never existed. */
export async function consumeLink(
  tx: Transaction,
  link: string,
  now: Date,
): Promise<{ userId: number; email: string } | null> {
  const { rows } = await sql<{ userId: number; email: string }>`
    update sign_in_links link
       set used_at = ${now}
      from users person
     where link.link_sha256 = ${hashOf(link)}
       and link.used_at is null
       and link.expires_at > ${now}
       and person.id = link.user_id
    returning person.id as "userId", person.email`.execute(tx)
  return rows[0] ?? null
}

export async function deleteExpiredLinks(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
}

/** Queues the mail. Does nothing else with the address, so that known and unknown ones take the same time. */
export async function queueLinkMail(
  database: Database,
  { task, attemptsMax, payload }: { task: string; attemptsMax: number; payload: Record<string, unknown> },
): Promise<void> {
  await sql`
    select queue_job(${task}, null, ${JSON.stringify(payload)}::json, ${attemptsMax}::int,
                     ${linkMailPriority}::int)`.execute(database)
}

/** Before exports and registers: a person waits. */
const linkMailPriority = -20
