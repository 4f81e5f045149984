import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientFacts } from '../../core/client-facts.ts'
import { shownText } from '../../metering/usage.ts'
import type { Request } from '../answer/request-state.ts'
import { parsedBody } from './parse-bodies.ts'
import type { RawQuery } from './read-parameters.ts'

/** Usage records and metrics have this status if the client disconnected before the response. */
export const clientLeftStatus = 499

export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'
}

export function readRequest(request: FastifyRequest, reply: FastifyReply): Request {
  return {
    id: request.id,
    apiKey: apiKeyOf(request),
    input: {
      query: request.query as RawQuery,
      params: request.params as Record<string, string>,
    },
    body: () => parsedBody(request),
    idempotencyKey: header(request, 'idempotency-key'),
    client: readClient(request),
    left: () => leftSignal(reply),
  }
}

/** Returns the key. `X-API-Key` precedes `Authorization: Bearer` (§5 rule 3). */
export const apiKeyOf = (request: FastifyRequest): string | null =>
  header(request, 'x-api-key') ?? bearer(header(request, 'authorization'))

export function leftSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) left.abort(new ClientLeft())
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return left.signal
}

export function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value.trim() : null
}

function bearer(authorization: string | null): string | null {
  const [scheme, token, ...rest] = authorization?.split(/\s+/) ?? []
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? (token ?? null) : null
}

const clientHeaders = [
  { name: 'client_version', sent: 'x-client-version' },
  { name: 'mcp_tool_name', sent: 'x-mcp-tool-name' },
  { name: 'connector_session_id', sent: 'x-connector-session-id' },
  { name: 'mcp_client_name', sent: 'x-mcp-client-name' },
  { name: 'mcp_client_version', sent: 'x-mcp-client-version' },
] as const

const clientFactLengthMax = 200

/** Shortens and cleans text of a client for usage records. */
export const clientFact = (text: string): string =>
  shownText(text.slice(0, clientFactLengthMax).replaceAll('\0', ''))

/** Reads the client columns of usage records (§2.15). docs/operating/accounts.md lists the headers. */
export function readClient(request: FastifyRequest): ClientFacts | null {
  let facts: ClientFacts | null = null
  for (const { name, sent } of clientHeaders) {
    const value = header(request, sent)
    if (value === null || value === '') continue
    facts ??= {}
    facts[name] = clientFact(value)
  }
  return facts
}
