import { encodeBody, jsonType, mayEncode, sendFile } from '@baize/http-content'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../core/failure.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { accountFigures } from '../../features/account/index.ts'
import { requestParams, sourceOf } from '../../metering/usage.ts'
import { ClientLeft, clientLeftStatus, readRequest } from '../read/read-request.ts'
import type { Service } from '../service.ts'
import { creditHeaders } from './answer.ts'
import { answerRequest } from './answer-request.ts'
import { asFailure, refusal, sendRefusal } from './failures.ts'
import { type MountedOperation, prepareOperation } from './mounted-operation.ts'
import { newRequestState, type RequestState } from './request-state.ts'

export function mountOperations(app: FastifyInstance, service: Service): void {
  for (const operation of service.operations) mountOperation(app, service, prepareOperation(operation))
}

/** Writes `{company_ref}` in Fastify's syntax. An empty parameter does not match. */
export const routeOf = (path: string) => path.replaceAll(/\{([a-z_]+)\}/g, ':$1([^]+)')

/** Adds HEAD to free GETs. A paid HEAD would charge without delivering. */
export const methodsOf = ({ method, prices }: AnyOperation<World>): string[] =>
  method === 'GET' && prices.length === 0 ? [method, 'HEAD'] : [method]

function mountOperation(app: FastifyInstance, service: Service, mounted: MountedOperation): void {
  const { operation } = mounted
  app.route({
    method: methodsOf(operation),
    url: routeOf(operation.path),
    exposeHeadRoute: false,
    ...(operation.bodyBytesMax === undefined ? {} : { bodyLimit: operation.bodyBytesMax }),
    handler: async (request, reply) => {
      const state = newRequestState(readRequest(request, reply), null)
      let status: number
      try {
        const answer = await answerRequest(service, mounted, state)
        status = answer.status
        reply.code(status).headers(answer.headers)
        if ('file' in answer) status = await sendFile(request, reply, answer.file)
        else {
          const { body } = answer
          const isLong = mayEncode(reply, Buffer.byteLength(body))
          reply.header('content-type', jsonType).send(isLong ? await encodeBody(request, reply, body) : body)
        }
      } catch (thrown) {
        if (thrown instanceof ClientLeft) {
          recordUsage(service, operation, state, clientLeftStatus)
          return reply.code(clientLeftStatus).send()
        }
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

/**
 * Returns the credit headers of a refused request: a charge of 0, and the balance unless the database is
 * down.
 */
async function refusedCredits(
  service: Service,
  operation: AnyOperation<World>,
  state: RequestState,
  status: number,
): Promise<Record<string, string>> {
  if (operation.prices.length === 0 || state.caller === null || state.outcomeUnknown) return {}
  if (status >= 500) return { 'x-credits-charged': '0' }
  const figures = await service.live.primary
    .readByKey(accountFigures, String(state.caller.accountId))
    .catch(() => undefined)
  return figures === undefined ? { 'x-credits-charged': '0' } : creditHeaders(0, figures)
}

/** Logs a 500 as an error, a 503 as a warning with its cause. */
export function logFault(
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

export function recordUsage(
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
    // The time when the request arrived, as in the records that settling writes.
    requestedAt: new Date(service.now().getTime() - Math.round(durationMs)),
    endpoint: operation.name,
    durationMs: Math.round(durationMs),
    requestParams: requestParams(state.input, operation.recorded),
    source: sourceOf(state.request.client),
    client: state.request.client,
    keyId: state.caller.keyId ?? null,
    settlementStatus: state.replayed ? 'replayed' : refusedStatuses.has(status) ? 'refused' : 'none',
  })
}

/** Settling also records refusals by ceiling and plan (402), idempotency key (409) and balance (429). */
const refusedStatuses = new Set([402, 409, 429])
