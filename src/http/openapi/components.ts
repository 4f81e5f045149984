import { failureCatalogue } from '../../core/failure.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { throttledError } from '../throttle.ts'

type Named = Pick<AnyOperation<never>, 'name'>

/**
 * `resolve_domain` → `ResolveDomainAnswer`, the name that generated clients give the type. Not `…Data`, `…Response`,
 * `…Result` or `…Params`: generators make names of their own of these.
 */
export function componentName({ name }: Named): string {
  const words = name.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Answer`
}

export const reference = (kind: 'schemas' | 'headers' | 'parameters' | 'examples', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

export function headerReferences(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map(name => [name, reference('headers', name)]))
}

/** The headers of every answer under /v1, good or bad. */
export const everyAnswer = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const

/** What every operation shares: the envelopes of §2.1, headers, and the two ways to send a key (§5). */
export function sharedComponents() {
  return { schemas: envelopes, headers, parameters, securitySchemes }
}

/** Told to be open, for generated clients take an object without members to have none. */
const anything = { type: 'object', additionalProperties: true }

const timestamp = { type: 'string', format: 'date-time' }

const envelopes = {
  SuccessEnvelope: {
    type: 'object',
    required: ['success', 'message', 'data', 'timestamp'],
    properties: {
      success: { const: true },
      message: { type: 'string' },
      data: anything,
      timestamp,
    },
  },
  ErrorEnvelope: {
    type: 'object',
    required: ['success', 'message', 'errors', 'doc_url', 'timestamp'],
    properties: {
      success: { const: false },
      message: { type: 'string', description: 'For people; its words may change.' },
      errors: {
        type: 'object',
        description: 'Empty in a 401.',
        properties: {
          code: {
            type: 'string',
            named: 'FailureCode',
            enum: Object.keys(failureCatalogue),
            description: 'For programs.',
          },
          details: { ...anything, description: 'What the page of the code says.' },
        },
      },
      doc_url: { type: ['string', 'null'], description: 'The page of the code; null when there is no code.' },
      timestamp,
    },
  },
  ThrottleBody: {
    type: 'object',
    description: 'The 429 of the per-IP throttle; it is no envelope and has no code.',
    required: ['error', 'message', 'retry_after'],
    properties: {
      error: { const: throttledError },
      message: { type: 'string' },
      retry_after: { type: 'integer', minimum: 1, description: 'Seconds, as in `Retry-After`.' },
    },
  },
}

const header = (type: 'string' | 'integer', description: string, rest: object = {}) => ({
  description,
  schema: { type, ...rest },
})

const headers = {
  'X-Request-Id': header(
    'string',
    'Names this request; one that was sent is kept if it is 8 to 64 of `[A-Za-z0-9_-]`.',
  ),
  'X-Credits-Charged': header('integer', 'What this answer cost; 0 for a replay and a refusal.', {
    minimum: 0,
  }),
  'X-Credits-Remaining': header(
    'integer',
    'The balance that it leaves, or that a refusal left; absent without a quota, and for the demo key.',
    {
      minimum: 0,
    },
  ),
  'Idempotency-Replayed': header('string', 'Present when this is the stored answer of an earlier request.', {
    const: 'true',
  }),
  'X-RateLimit-Limit': header(
    'integer',
    'Requests that one IP address may send in a window, mostly a minute.',
  ),
  'X-RateLimit-Remaining': header('integer', 'Requests left in this window.'),
  'X-RateLimit-Reset': header('integer', 'Seconds until the next window begins.'),
  'RateLimit-Policy': header('string', 'The same limit in the form of the IETF draft: `"ip";q=100;w=60`.'),
  RateLimit: header('string', 'The same figures in the form of the IETF draft: `"ip";r=99;t=60`.'),
  ETag: header('string', 'Names these very bytes; `If-None-Match` and `If-Range` take it.'),
  'Content-Disposition': header('string', 'That it is an attachment, and what to call it.'),
  'Accept-Ranges': header('string', 'That ranges of the file can be asked for.', { const: 'bytes' }),
  'Content-Range': header('string', 'Which bytes these are, of how many; of a 416 how many there are.'),
  Location: header('string', 'Where the stored file is.'),
  'Cache-Control': header('string', 'How long it may be kept, and by whom.'),
  'Access-Control-Allow-Origin': header('string', 'Pages of any origin show it.', { const: '*' }),
  'Cross-Origin-Resource-Policy': header('string', 'Pages of any origin show it.', { const: 'cross-origin' }),
  'Content-Security-Policy': header('string', 'Of an SVG: nothing in it runs, or loads anything.'),
  'Retry-After': header('integer', 'Seconds after which a retry makes sense.', { minimum: 1 }),
  'X-Should-Retry': header(
    'string',
    'Sent where the same request would fail again until the balance changes.',
    {
      const: 'false',
    },
  ),
  'WWW-Authenticate': header('string', 'How a key can be sent.'),
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      `A random text of your own for each call, the same for all attempts of that call. The first answer is kept for ${storedAnswersDays} ` +
      'days and replayed free; the same key with other parameters is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Recommended; wins when both are sent.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer`.' },
}
