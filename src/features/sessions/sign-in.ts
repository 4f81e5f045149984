import { StaffError } from '../../core/staff-error.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { recordEvent } from '../audit/index.ts'
import { findUser } from '../members/index.ts'
import { insertSession, takeSession } from './session-store.ts'
import { consumeLink, insertLink, queueLinkMail } from './sign-in-link-store.ts'

/** Retried for about two minutes: then the person has asked again, or has left. */
export const linkMailTask = { name: 'send_sign_in_link', attemptsMax: 6 } as const

/** The link itself is made when the mail is sent, so that no secret is stored in the queue. */
export type LinkMail = { email: string; next: string | null }

export async function requestLink(database: Database, mail: LinkMail): Promise<void> {
  const { name: task, attemptsMax } = linkMailTask
  await queueLinkMail(database, { task, attemptsMax, payload: mail })
}

/** null: no user has the address. */
export async function createLink(
  database: Database | Transaction,
  email: string,
  now: Date,
): Promise<string | null> {
  const user = await findUser(database, email)
  return user === null ? null : insertLink(database, { userId: user.id, now })
}

/** A link that the operator hands out; its audit event has no secret. */
export async function handOutLink(database: Database, email: string, now: Date): Promise<string> {
  return database.transaction().execute(async tx => {
    const user = await findUser(tx, email)
    if (user === null) throw new StaffError(`There is no user ${email}.`)
    await recordEvent(tx, null, {
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
  /** The id in the browser's cookie. */
  replacedId: string | null
  /** As `browserName` describes it. */
  browser: string | null
  now: Date
}

/** Each sign-in gets a new id. The browser's old session ends; its account stays, if the user is the same. */
export async function startSession(
  tx: Transaction,
  { user, how, replacedId, browser, now }: SignIn,
): Promise<string> {
  const replaced = replacedId === null ? null : await takeSession(tx, replacedId)
  const accountId = replaced?.userId === user.userId ? replaced.accountId : null
  await recordEvent(tx, user, {
    action: 'session.started',
    subject: null,
    accountId: null,
    details: { by: how },
    now,
  })
  return insertSession(tx, { userId: user.userId, accountId, browser, now })
}

/** The new session's id; null: the link was used, has expired or never existed. */
export async function signInByLink(
  database: Database,
  { link, ...by }: { link: string } & Omit<SignIn, 'user' | 'how'>,
): Promise<string | null> {
  return database.transaction().execute(async tx => {
    const user = await consumeLink(tx, link, by.now)
    return user === null ? null : startSession(tx, { user, how: 'link', ...by })
  })
}
