import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { randomBase62 } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'

/** The length of a link's secret in characters, which is 256 bits. */
const linkLength = 43
export const signInLinkPattern = new RegExp(`^[0-9A-Za-z]{${linkLength}}$`)
export const linkMinutes = 10

const hashOf = (link: string) => createHash('sha256').update(link).digest()

/** Stores the hash of a new link, and returns the secret that ends its URL. */
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

/** Finds the address that an unused link signs in. It changes nothing, because mail scanners open links. */
export async function findSignInLink(database: Database, link: string, now: Date): Promise<string | null> {
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

/**
 * Uses a link and ends the person's older ones; only one of two simultaneous requests can. Returns null if
 * it was used, has expired or never existed.
 */
export async function consumeLink(tx: Transaction, link: string, now: Date) {
  const { rows } = await sql<{ userId: number; email: string; createdAt: Date }>`
    update sign_in_links link
       set used_at = ${now}
      from users person
     where link.link_sha256 = ${hashOf(link)}
       and link.used_at is null
       and link.expires_at > ${now}
       and person.id = link.user_id
    returning person.id as "userId", person.email, link.created_at as "createdAt"`.execute(tx)
  const [used] = rows
  if (used === undefined) return null
  const { userId, email, createdAt } = used
  await sql`
    update sign_in_links
       set used_at = ${now}
     where user_id = ${userId} and used_at is null and created_at <= ${createdAt}`.execute(tx)
  return { userId, email }
}

export async function deleteExpiredLinks(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
}

/** Queues the mail and does nothing else with the address, so that unknown ones take the same time. */
export async function queueLinkMail(
  database: Database,
  { task, attemptsMax, payload }: { task: string; attemptsMax: number; payload: Record<string, unknown> },
): Promise<void> {
  await sql`
    select queue_job(${task}, null, ${JSON.stringify(payload)}::json, ${attemptsMax}::int,
                     ${linkMailPriority}::int)`.execute(database)
}

/** Starts before exports and registers, because a person waits for the mail. */
const linkMailPriority = -20
