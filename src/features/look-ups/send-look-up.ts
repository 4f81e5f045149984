import { createHash } from 'node:crypto'
import { dataOf, newNonce, type Paid } from '../send-request.ts'
import type { SessionContext } from '../session-operation.ts'

/** The answer of an operation of the API, with a command that sends the same request by key. */
export type LookedUp = {
  operation: string
  curl: string
  credits_charged: number
  /** Is true if the same form was charged before. */
  replayed: boolean
  /** The member `data` of the operation's response. */
  response: unknown
  nonce: string
}

type LookUp = { operation: string; path: string; query: Record<string, string | string[]> }

/**
 * Sends a paid request for the account. The same form sent again, as by a reload, gets the stored response.
 * A changed form is another request.
 */
export async function sendLookUp(
  context: SessionContext,
  { operation, path, query }: LookUp,
  { max_credits: maxCredits, nonce }: Paid,
): Promise<LookedUp> {
  const bounded = { ...query, max_credits: String(maxCredits) }
  const received = await context.send({
    operation,
    query: bounded,
    idempotencyKey: idempotencyKey(nonce, operation, bounded),
  })
  const response = dataOf(received) as { credits_charged?: number }
  return {
    operation,
    curl: curlOf(`${context.baseUrl}${path}`, query),
    credits_charged: response.credits_charged ?? 0,
    replayed: received.headers['idempotency-replayed'] === 'true',
    response,
    nonce: newNonce(),
  }
}

function idempotencyKey(nonce: string, operation: string, query: LookUp['query']): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([operation, query]))
    .digest('base64url')
  return `${nonce}.${digest}`
}

/** Writes a curl command. A single quote is percent-encoded, because it would end the shell's text. */
function curlOf(url: string, query: LookUp['query']): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map(each => [name, each])),
  )
  const whole = `${url}?${parameters}`.replaceAll('%5B%5D', '[]')
  return `curl -g -H 'X-API-Key: YOUR_KEY' '${whole.replaceAll("'", '%27')}'`
}
