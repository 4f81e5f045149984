import { createHash } from 'node:crypto'
import type { Sent } from '../../core/session-operation.ts'
import { dataOf, type Paid } from '../send-request.ts'
import { accountOf, type SessionContext } from '../session-operation.ts'
import { readPurchases, type Subjects } from './bought-answers-store.ts'

export const lookUpRoles = ['owner', 'member'] as const

/** A paid request, whose answer is shown again under its subject. */
export type Purchase = {
  operation: string
  query?: Record<string, string | string[]>
  params?: Record<string, string>
  subject: NonNullable<Sent['subject']>
}

/** The answer of an operation of the API that the account bought. */
export type Bought<Response = unknown> = {
  subject: string
  bought_at: string
  credits_charged: number
  response: Response
}

/**
 * Sends a paid request for the account, and returns the answer's `data`. The same form sent again, as by a
 * reload, is charged once. A changed form is another request.
 */
export async function buy(
  context: SessionContext,
  { operation, query = {}, params = {}, subject }: Purchase,
  { max_credits: maxCredits, nonce }: Paid,
): Promise<unknown> {
  const bounded = { ...query, max_credits: String(maxCredits) }
  const digest = digestOf([operation, params, bounded])
  const idempotencyKey = `${nonce}.${digest}`
  return dataOf(await context.send({ operation, query: bounded, params, idempotencyKey, subject }))
}

export const digestOf = (of: unknown): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('base64url')

/** Returns what the account bought of these subjects, the newest first. */
export async function boughtOf<Response>(
  context: SessionContext,
  operation: string,
  subjects: Subjects,
): Promise<Bought<Response>[]> {
  const { accountId } = accountOf(context)
  const { world, now } = context
  const found = await readPurchases(world.database, { accountId, now, operation, subjects })
  return found.map(({ subject, bought_at, credits, body }) => ({
    subject,
    bought_at: bought_at.toISOString(),
    credits_charged: Number(credits),
    response: (JSON.parse(body) as { data: Response }).data,
  }))
}
