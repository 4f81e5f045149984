import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PlanName } from '../../core/operation.ts'
import { randomBase62 } from '../../core/ref.ts'
import type { Membership, Session } from '../../core/session-operation.ts'
import type { Database, Transaction } from '../../database/open.ts'

/** The length of a session id in characters, which is 256 bits. */
const idLength = 43
export const sessionIdPattern = new RegExp(`^[0-9A-Za-z]{${idLength}}$`)

export const sessionHours = { idle: 12, longest: 14 * 24 } as const

export const hashOf = (id: string) => createHash('sha256').update(id).digest()

export type NewSession = { userId: number; accountId?: number | null; browser?: string | null; now: Date }

/** Stores the hash of a new session id, and returns the id for the cookie. */
export async function insertSession(
  database: Database | Transaction,
  { userId, accountId = null, browser = null, now }: NewSession,
): Promise<string> {
  const id = randomBase62(idLength)
  await database
    .insertInto('sessions')
    .values({
      session_sha256: hashOf(id),
      user_id: userId,
      account_id: accountId,
      browser,
      created_at: now,
      proved_at: now,
      last_used_at: now,
    })
    .execute()
  return id
}

type SessionRow = {
  user_id: number
  user_ref: string
  email: string
  name: string | null
  is_staff: boolean
  session_sha256: Buffer
  proved_at: Date
  account_id: number | null
  has_draft: boolean
  memberships: (Membership & { plan: PlanName })[]
}

/** The time of last use is written at most this often, not at every request. */
const useWrittenSeconds = 60

/**
 * Finds a session with its user and the user's current accounts, so that a removed right ends with the next
 * request. Sessions that were idle too long are not found.
 */
export async function findSession(database: Database, id: string, now: Date): Promise<Session | null> {
  const { rows } = await sql<SessionRow>`
    with used as (
      select session_sha256, user_id, account_id, proved_at, last_used_at,
             coalesce(draft_expires_at > ${now}, false) as has_draft
        from sessions
       where session_sha256 = ${hashOf(id)}
         and last_used_at > ${now}::timestamptz - make_interval(hours => ${sessionHours.idle})
         and created_at > ${now}::timestamptz - make_interval(hours => ${sessionHours.longest})
    ),
    noted as (
      update sessions session
         set last_used_at = ${now}
        from used
       where session.session_sha256 = used.session_sha256
         and used.last_used_at <= ${now}::timestamptz - make_interval(secs => ${useWrittenSeconds})
    )
    select used.session_sha256, used.user_id, used.account_id, used.proved_at, used.has_draft,
           person.user_ref, person.email, person.name, person.is_staff,
           coalesce((
             select json_agg(json_build_object(
                      'accountId', account.id, 'accountRef', account.account_ref, 'name', account.name,
                      'plan', account.plan, 'role', membership.role) order by account.id)
               from memberships membership
               join accounts account on account.id = membership.account_id
              where membership.user_id = used.user_id
           ), '[]') as memberships
      from used
      join users person on person.id = used.user_id`.execute(database)
  const row = rows[0]
  return row === undefined ? null : asSession(row)
}

function asSession(row: SessionRow): Session {
  const { memberships } = row
  return {
    userId: row.user_id,
    userRef: row.user_ref,
    email: row.email,
    name: row.name,
    isStaff: row.is_staff,
    sha256: row.session_sha256,
    provedAt: row.proved_at,
    hasDraft: row.has_draft,
    account: memberships.find(each => each.accountId === row.account_id) ?? memberships[0] ?? null,
    memberships,
  }
}

export async function setSessionAccount(database: Database, sha256: Buffer, accountId: number) {
  await database
    .updateTable('sessions')
    .set({ account_id: accountId })
    .where('session_sha256', '=', sha256)
    .execute()
}

/** Ends the session with this id, and returns its user and account, or null without a session. */
export async function takeSession(database: Database | Transaction, id: string) {
  const taken = await database
    .deleteFrom('sessions')
    .where('session_sha256', '=', hashOf(id))
    .returning(['user_id as userId', 'account_id as accountId'])
    .executeTakeFirst()
  return taken ?? null
}

export async function deleteEndedSessions(database: Database, now: Date): Promise<void> {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  await database
    .deleteFrom('sessions')
    .where(where =>
      where.or([
        where('last_used_at', '<=', hoursAgo(sessionHours.idle)),
        where('created_at', '<=', hoursAgo(sessionHours.longest)),
      ]),
    )
    .execute()
}

type OpenSession = {
  session_sha256: Buffer
  browser: string | null
  created_at: Date
  last_used_at: Date
}

const shownMax = 50

/** Returns the user's open sessions, the last used first. */
export async function readSessions(database: Database, userId: number, now: Date): Promise<OpenSession[]> {
  const { rows } = await sql<OpenSession>`
    select session_sha256, browser, created_at, last_used_at
      from sessions
     where user_id = ${userId}
       and last_used_at > ${now}::timestamptz - make_interval(hours => ${sessionHours.idle})
       and created_at > ${now}::timestamptz - make_interval(hours => ${sessionHours.longest})
     order by last_used_at desc
     limit ${shownMax}`.execute(database)
  return rows
}

/** Ends all sessions of the person except this one. */
export async function endOtherSessions(tx: Transaction, { userId, sha256 }: Session): Promise<number> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and session_sha256 <> ${sha256} returning 1`.execute(tx)
  return rows.length
}

/** Ends a session. Returns false if the person has no such session. */
export async function endSession(tx: Transaction, { userId, sha256 }: Pick<Session, 'userId' | 'sha256'>) {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and session_sha256 = ${sha256} returning 1`.execute(tx)
  return rows.length > 0
}
