import type { Database, Transaction } from '../../database/open.ts'
import { type Draft, openDraft, sealDraft } from './draft.ts'
import { hashOf } from './session-store.ts'

const draftMinutes = 15

/** Stores a form in the session until it is sent again, for 15 minutes. It replaces an older one. */
export async function storeDraft(
  database: Database | Transaction,
  sessionId: string,
  draft: Draft,
  now: Date,
): Promise<void> {
  await database
    .updateTable('sessions')
    .set({
      draft: sealDraft(sessionId, draft),
      draft_expires_at: new Date(now.getTime() + draftMinutes * 60_000),
    })
    .where('session_sha256', '=', hashOf(sessionId))
    .execute()
}

export async function readDraft(
  database: Database | Transaction,
  sessionId: string,
  now: Date,
): Promise<Draft | null> {
  const found = await database
    .selectFrom('sessions')
    .select('draft')
    .where('session_sha256', '=', hashOf(sessionId))
    .where('draft_expires_at', '>', now)
    .executeTakeFirst()
  return found === undefined || found.draft === null ? null : openDraft(sessionId, found.draft)
}

export async function deleteDraft(database: Database, sessionId: string): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ draft: null, draft_expires_at: null })
    .where('session_sha256', '=', hashOf(sessionId))
    .execute()
}

export async function deleteExpiredDrafts(database: Database, now: Date): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ draft: null, draft_expires_at: null })
    .where('draft_expires_at', '<=', now)
    .execute()
}
