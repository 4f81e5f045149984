import type { World } from '../database/open.ts'
import { aCommand, recordAuditEvent } from '../features/audit/index.ts'

/** Records a command that changes data. Long work records its start, so that a killed one is recorded too. */
export function recordCommand(
  { database }: World,
  action: string,
  subject: string | null,
  details: Record<string, unknown> = {},
): Promise<void> {
  return recordAuditEvent(database, aCommand, { action, subject, accountId: null, details, now: new Date() })
}
