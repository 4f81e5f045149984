import { sql } from 'kysely'
import type { Session } from '../../core/session-operation.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { sessionHours } from './session-store.ts'

export type OpenSession = {
  session_sha256: Buffer
  browser: string | null
  created_at: Date
  last_used_at: Date
}

const shownMax = 50

/** Those that have not ended, the last used first. */
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

/** All of the person but this one. */
export async function endOtherSessions(tx: Transaction, { userId, sha256 }: Session): Promise<number> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and session_sha256 <> ${sha256} returning 1`.execute(tx)
  return rows.length
}

/** false: the person has no such session. */
export async function endSession(
  tx: Transaction,
  { userId, sha256 }: Pick<Session, 'userId' | 'sha256'>,
): Promise<boolean> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and session_sha256 = ${sha256} returning 1`.execute(tx)
  return rows.length > 0
}
