/** Sends requests of the dashboard to operations of the API, for the account of the session. */
import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Failure, type FailureCode } from '../core/failure.ts'
import { Attachment, type Received, type Sent } from '../core/session-operation.ts'
import type { SessionContext } from './session-operation.ts'

/** The nonce of a form. A form that is sent twice does its work once. */
export const nonceField = Type.String({
  pattern: '^[0-9a-f-]{36}$',
  description: 'Of the page that has the form.',
})

/** The fields of every form that may cost credits. */
export const paidFields = {
  max_credits: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The most that the look-up may cost, in credits.',
  }),
  nonce: nonceField,
}

export type Paid = { max_credits: number; nonce: string }

/** Returns a new nonce for each form that is shown. */
export const newNonce = (): string => randomUUID()

/** Returns the data of an answer. The error of a refused request becomes the error of the form. */
export function dataOf({ status, body }: Received): unknown {
  const { data, message, errors } = body as {
    data?: unknown
    message: string
    errors?: { code: FailureCode; details: Record<string, unknown> }
  }
  if (status < 400) return data
  if (errors === undefined) throw new Failure('service_unavailable', { message })
  throw new Failure(errors.code, { message, details: errors.details })
}

/** Returns the file of an operation that sends one. */
export function attachmentOf(received: Received): Attachment {
  if (received.file !== undefined) return new Attachment(received.file)
  dataOf(received)
  throw new Error('the operation sent no file')
}

/** Sends a request for a page of the dashboard, without a usage record. */
export const sendView = async (context: SessionContext, sent: Sent) =>
  dataOf(await context.send({ ...sent, isView: true }))
