import { jsonType } from '@baize/http-content'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, wrongValue } from '../../core/failure.ts'
import { parsedBody } from '../read/parse-bodies.ts'

/** A JSON-RPC message. A message without a method is the reply to a question of the server. */
export type Message = {
  id?: unknown
  method?: unknown
  params?: { clientInfo?: unknown; capabilities?: unknown }
  result?: unknown
}

/** An error of the protocol, with the status of its HTTP response. */
export class RpcError extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function readMessage(request: FastifyRequest): Message {
  const body = readBody(request)
  // A batch is refused, because the throttle would count its calls as one request.
  if (Array.isArray(body))
    throw new RpcError(400, -32600, 'Send one message per request; batches are refused.')
  if (typeof body !== 'object' || body === null)
    throw new RpcError(400, -32600, 'The body must be a JSON-RPC message.')
  const message = body as Message
  if (message.method === 'subscriptions/listen')
    throw new RpcError(404, -32601, 'There is nothing to listen to: the tools do not change.')
  return message
}

function readBody(request: FastifyRequest): unknown {
  try {
    const body = parsedBody(request)
    if (body !== undefined) return body
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_json') throw error
  }
  throw new RpcError(400, -32700, 'The body must be JSON in UTF-8.')
}

export function sendRpcError(reply: FastifyReply, { status, code, message }: RpcError): FastifyReply {
  return reply
    .code(status)
    .header('content-type', jsonType)
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

const creditsMax = 1_000_000_000

/**
 * Reads `X-Baize-Budget`; null without the header. Refuses invalid text, so that a typing error removes no
 * budget.
 */
export function readBudget(text: string | null): number | null {
  if (text === null) return null
  const credits = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (credits <= creditsMax) return credits
  throw wrongValue('X-Baize-Budget', `an integer from 0 to ${creditsMax}`)
}
