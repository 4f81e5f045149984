import type { Session } from '../../core/session-operation.ts'
import type { Database, Transaction } from '../../database/open.ts'

type AuditEvent = {
  /** A noun and what happened to it, such as `key.created` or `member.removed`. */
  action: string
  /** The ref of the changed object. */
  subject: string | null
  /** The account of the change; null for changes that concern no account. */
  accountId: number | null
  /** More facts about the change, which staff and owners see; they contain no secrets. */
  details?: Record<string, unknown>
  now: Date
}

/** A signed-in user, or `aCommand`. Undefined for a change that is recorded elsewhere, such as a replay. */
export type Actor = Pick<Session, 'userId' | 'email'> | null | undefined

export const aCommand: Actor = null

/** Records a change in its transaction. */
export async function recordAuditEvent(
  database: Database | Transaction,
  by: Actor,
  { action, subject, accountId, details = {}, now }: AuditEvent,
): Promise<void> {
  if (by === undefined) return
  await database
    .insertInto('audit_events')
    .values({
      happened_at: now,
      user_id: by?.userId ?? null,
      email: by?.email ?? null,
      account_id: accountId,
      action,
      subject,
      details: JSON.stringify(details),
    })
    .execute()
}
