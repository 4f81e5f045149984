import type { Session } from '../../core/session-operation.ts'
import type { Database, Transaction } from '../../database/open.ts'

type AuditEvent = {
  /** `key.created`, `member.removed`: a noun and what happened to it. */
  action: string
  /** The ref of what was changed. */
  subject: string | null
  /** null: of no account. */
  accountId: number | null
  /** Shown to staff and owners. No secrets. */
  details?: Record<string, unknown>
  now: Date
}

/** Records a change in its transaction. Without a session a command made it. */
export async function recordEvent(
  database: Database | Transaction,
  session: Pick<Session, 'userId' | 'email'> | null,
  { action, subject, accountId, details = {}, now }: AuditEvent,
): Promise<void> {
  await database
    .insertInto('audit_events')
    .values({
      happened_at: now,
      user_id: session?.userId ?? null,
      email: session?.email ?? null,
      account_id: accountId,
      action,
      subject,
      details: JSON.stringify(details),
    })
    .execute()
}
