import { StaffError } from '../../core/staff-error.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { findUser } from '../members/index.ts'
import { readDraft, storeDraft } from './draft-store.ts'
import { insertSession, takeSession } from './session-store.ts'
import { consumeLink, insertLink, queueLinkMail } from './sign-in-link-store.ts'

/** The task of the mail, retried for about two minutes. By then the person has tried again, or has left. */
export const linkMailTask = { name: 'send_sign_in_link', attemptsMax: 6 } as const

/** The data of the mail. The link is created when the mail is sent, so that the queue stores no secret. */
export type LinkMail = { email: string; next: string | null }

export async function requestLink(database: Database, mail: LinkMail): Promise<void> {
  const { name: task, attemptsMax } = linkMailTask
  await queueLinkMail(database, { task, attemptsMax, payload: mail })
}

/** Creates a link for the user with the address. Returns null without such a user. */
export async function createLink(
  database: Database | Transaction,
  email: string,
  now: Date,
): Promise<string | null> {
  const user = await findUser(database, email)
  return user === null ? null : insertLink(database, { userId: user.id, now })
}

/** Creates a link that the operator hands out. Its audit event has no secret. */
export async function handOutLink(database: Database, email: string, now: Date): Promise<string> {
  return database.transaction().execute(async tx => {
    const user = await findUser(tx, email)
    if (user === null) throw new StaffError(`There is no user ${email}.`)
    await recordAuditEvent(tx, null, {
      action: 'sign_in_link.created',
      subject: user.user_ref,
      accountId: null,
      details: { email: user.email },
      now,
    })
    return insertLink(tx, { userId: user.id, now })
  })
}

type SignIn = {
  user: { userId: number; email: string }
  how: 'link' | 'passkey'
  /** The session id in the browser's cookie, if any. */
  replacedId: string | null
  /** The browser as `browserName` describes it. */
  browser: string | null
  now: Date
}

/**
 * Starts a session with a new id and ends the browser's old one. The account and the form that waits for a
 * confirmation stay for the same user.
 */
export async function startSession(
  tx: Transaction,
  { user, how, replacedId, browser, now }: SignIn,
): Promise<string> {
  const draft = replacedId === null ? null : await readDraft(tx, replacedId, now)
  const replaced = replacedId === null ? null : await takeSession(tx, replacedId)
  const isSameUser = replaced?.userId === user.userId
  const accountId = isSameUser ? replaced.accountId : null
  await recordAuditEvent(tx, user, {
    action: 'session.started',
    subject: null,
    accountId: null,
    details: { by: how },
    now,
  })
  const id = await insertSession(tx, { userId: user.userId, accountId, browser, now })
  if (isSameUser && draft !== null) await storeDraft(tx, id, draft, now)
  return id
}

/** Returns the id of a new session; null if the link was used, has expired or never existed. */
export async function signInByLink(
  database: Database,
  { link, ...by }: { link: string } & Omit<SignIn, 'user' | 'how'>,
): Promise<string | null> {
  return database.transaction().execute(async tx => {
    const user = await consumeLink(tx, link, by.now)
    return user === null ? null : startSession(tx, { user, how: 'link', ...by })
  })
}
