import { jsonType } from '@baize/http-content'
import { isConnectionLoss, isLockTimeout, isStatementTimeout, isTransient } from '@baize/postgres'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'

/** The Retry-After in seconds after a database error or timeout. */
export const unavailableRetryAfterSeconds = 2

/** A 401 links to this page, below the base URL. */
export const keysPage = '/docs/keys'

/** The answer to missing, unknown, expired and revoked keys alike (§5 rule 4): no code, an empty `errors`. */
export class Unauthorized extends Error {
  readonly status = 401
}

export type Refused = { status: number; body: string; headers: Record<string, string> }

export function refusal(error: unknown, baseUrl: string, timestamp: string): Refused {
  if (error instanceof Unauthorized) {
    return {
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: errorEnvelope('Unauthorized', {}, `${baseUrl}${keysPage}`, timestamp),
    }
  }
  const failure = error instanceof Failure ? error : new Failure('internal_error', { cause: error })
  const headers: Record<string, string> = {}
  if (failure.retryAfterSeconds !== undefined) headers['retry-after'] = String(failure.retryAfterSeconds)
  // The header stops blind retries, which would fail until the balance or the ceiling changes.
  if (failure.status === 402 || failure.status === 429) headers['x-should-retry'] = 'false'
  const errors = { code: failure.code, details: failure.details }
  return {
    status: failure.status,
    headers,
    body: errorEnvelope(failure.message, errors, `${baseUrl}/docs/errors/${failure.code}`, timestamp),
  }
}

function errorEnvelope(message: string, errors: object, docUrl: string, timestamp: string): string {
  return JSON.stringify({ success: false, message, errors, doc_url: docUrl, timestamp })
}

/** Refuses unknown paths. A path with a slash at its end is not redirected, because it may be paid. */
export function noRoute({ url }: FastifyRequest): Failure {
  const [path = ''] = url.split('?', 1)
  if (!path.endsWith('/')) return new Failure('route_not_found')
  return new Failure('route_not_found', {
    message: 'This path does not exist; a path must not end with a slash.',
    details: { takes: 'a path without a slash at its end' },
  })
}

/** Answers 405 with `Allow` to the other methods of a path. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  app.route({
    method: app.supportedMethods.filter(method => !allowed.includes(method)),
    url,
    handler: async (_request, reply) => {
      reply.header('allow', allowed.join(', '))
      throw new Failure('method_not_allowed', { details: { allowed } })
    },
  })
}

/** Maps database errors to failures: a database that is down or slow is a 503, not a 500. */
export function asFailure(error: unknown, operation: Pick<AnyOperation<World>, 'failures'>): unknown {
  if (error instanceof Failure || error instanceof Unauthorized) return error
  if (isStatementTimeout(error)) {
    const code = operation.failures.includes('search_unavailable')
      ? 'search_unavailable'
      : 'service_unavailable'
    return new Failure(code, { retryAfterSeconds: unavailableRetryAfterSeconds, cause: error })
  }
  if (isConnectionLoss(error) || isLockTimeout(error) || isTransient(error)) {
    return new Failure('service_unavailable', {
      retryAfterSeconds: unavailableRetryAfterSeconds,
      cause: error,
    })
  }
  return error
}

export function sendRefusal(reply: FastifyReply, refused: Refused): FastifyReply {
  return reply
    .code(refused.status)
    .headers(refused.headers)
    .header('content-type', jsonType)
    .send(refused.body)
}
