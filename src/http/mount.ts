import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../core/failure.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { accountFigures } from '../features/account/index.ts'
import { type ClientFacts, requestParams, shownText, sourceOf } from '../metering/usage.ts'
import { answerRequest, type Request, type RequestState } from './answer-request.ts'
import { creditHeaders } from './credit-headers.ts'
import { templatePrints } from './demo.ts'
import { type RenderSuccess, successRenderer } from './envelope.ts'
import { asFailure, refusal, sendRefusal } from './failures.ts'
import { parsedBody } from './parse-bodies.ts'
import { inputReader, type RawInput } from './read-input.ts'
import type { Input, RawQuery } from './read-parameters.ts'
import { sendFile } from './send-file.ts'
import type { Service } from './service.ts'

/** An operation with all that is compiled from its declaration. */
export type MountedOperation = {
  operation: AnyOperation<World>
  readInput(raw: RawInput): Input
  render: RenderSuccess
  demoPrints: ReadonlySet<string>
}

function prepareOperation(operation: AnyOperation<World>): MountedOperation {
  const readInput = inputReader(operation)
  const demoPrints = templatePrints(operation.method, operation.path, operation.demo, template => {
    const input = readInput(template)
    return operation.canonical?.(input) ?? input
  })
  return { operation, readInput, render: successRenderer(operation), demoPrints }
}

/** Gives every operation of the catalogue its route; what an operation is, and what it may do, stands in it alone. */
export function mountOperations(app: FastifyInstance, service: Service): void {
  for (const operation of service.operations) mountOperation(app, service, prepareOperation(operation))
}

/** Fastify writes `:company_ref` where OpenAPI has braces. Without a text in its place the path is another, and there is none. */
export const routeOf = (path: string) => path.replaceAll(/\{([a-z_]+)\}/g, ':$1([^]+)')

/** HEAD stands beside each GET that is free. Of a paid one it would charge, and not deliver. */
export const methodsOf = ({ method, prices }: AnyOperation<World>): string[] =>
  method === 'GET' && prices.length === 0 ? [method, 'HEAD'] : [method]

function mountOperation(app: FastifyInstance, service: Service, mounted: MountedOperation): void {
  const { operation } = mounted
  app.route({
    method: methodsOf(operation),
    url: routeOf(operation.path),
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const state: RequestState = {
        request: readRequest(request),
        startedAtMs: performance.now(),
        caller: null,
        input: {},
        recorded: false,
        replayed: false,
        outcomeUnknown: false,
      }
      let status: number
      try {
        const answer = await answerRequest(service, mounted, state)
        status = answer.status
        reply.code(status).headers(answer.headers)
        if ('file' in answer) status = await sendFile(request, reply, answer.file)
        else reply.header('content-type', 'application/json; charset=utf-8').send(answer.body)
      } catch (thrown) {
        const error = asFailure(thrown, operation)
        const refused = refusal(error, service.settings.baseUrl, service.now().toISOString())
        status = refused.status
        if (status >= 500) logFault(service, operation, state, error)
        sendRefusal(reply.headers(await refusedCredits(service, operation, state, status)), refused)
      }
      recordUsage(service, operation, state, status)
      return reply
    },
  })
}

/** A refused request of a priced operation charged nothing, and tells what is left wherever the database can be asked. */
async function refusedCredits(
  service: Service,
  operation: AnyOperation<World>,
  state: RequestState,
  status: number,
): Promise<Record<string, string>> {
  if (operation.prices.length === 0 || state.caller === null || state.outcomeUnknown) return {}
  if (status >= 500) return { 'x-credits-charged': '0' }
  const figures = await service.live
    .readByKey(accountFigures, String(state.caller.accountId))
    .catch(() => undefined)
  return figures === undefined ? { 'x-credits-charged': '0' } : creditHeaders(0, figures)
}

/** A 500 is ours to mend; a 503 says that something below is away, and its cause is all that is worth a line. */
function logFault(
  service: Service,
  operation: AnyOperation<World>,
  state: RequestState,
  error: unknown,
): void {
  const facts = { operation: operation.name, request_id: state.request.id }
  if (error instanceof Failure && error.status === 503)
    service.log.warn({ ...facts, err: error.cause }, error.message)
  else service.log.error({ ...facts, err: error }, 'request failed')
}

function recordUsage(
  service: Service,
  operation: AnyOperation<World>,
  state: RequestState,
  status: number,
): void {
  const durationMs = performance.now() - state.startedAtMs
  service.metrics.observe(operation.name, status, durationMs / 1000)
  if (state.recorded || state.caller === null) return
  service.usage.record({
    accountId: state.caller.accountId,
    status,
    requestId: state.request.id,
    // When it came, as the records of settlements tell it, not when it was answered.
    requestedAt: new Date(service.now().getTime() - Math.round(durationMs)),
    endpoint: operation.name,
    durationMs: Math.round(durationMs),
    requestParams: requestParams(state.input),
    source: sourceOf(state.request.client),
    client: state.request.client,
    settlementStatus: state.replayed ? 'replayed' : refusedStatuses.has(status) ? 'refused' : 'none',
  })
}

/** What settling would have refused too: a ceiling, a key of another request, a balance. */
const refusedStatuses = new Set([402, 409, 429])

/** `X-API-Key` wins over `Authorization: Bearer` (§5 rule 3). */
function readRequest(request: FastifyRequest): Request {
  return {
    id: request.id,
    apiKey: header(request, 'x-api-key') ?? bearer(header(request, 'authorization')),
    input: {
      query: request.query as RawQuery,
      params: request.params as Record<string, string>,
    },
    body: () => parsedBody(request),
    idempotencyKey: header(request, 'idempotency-key'),
    client: readClient(request),
  }
}

function header(request: FastifyRequest, name: string): string | null {
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

/** The headers that fill the client columns of usage records (§2.15); docs/operating.md lists them. */
function readClient(request: FastifyRequest): ClientFacts | null {
  let facts: ClientFacts | null = null
  for (const { name, sent } of clientHeaders) {
    const value = header(request, sent)
    if (value === null || value === '') continue
    facts ??= {}
    facts[name] = shownText(value.slice(0, clientFactLengthMax).replaceAll('\0', ''))
  }
  return facts
}
