import { failureCatalogue } from '../../core/failure.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { throttledError } from '../throttle.ts'

type Named = Pick<AnyOperation<never>, 'name'>

/** Converts `resolve_domain` to `ResolveDomain`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase())

/**
 * Names the schema of `data` `ResolveDomainAnswer`, and that of the response `ResolveDomainEnvelope`.
 * Generators use `…Data`, `…Response`, `…Result` and `…Params` for other types.
 */
export const answerName = ({ name }: Named): string => `${pascalCase(name)}Answer`
export const envelopeName = ({ name }: Named): string => `${pascalCase(name)}Envelope`

/** Wraps the envelope of §2.1 around `data`. */
export const envelopeAround = (data: object): object => ({
  allOf: [
    reference('schemas', 'SuccessEnvelope'),
    { type: 'object', required: ['data'], properties: { data } },
  ],
})

type Kind = 'schemas' | 'headers' | 'parameters' | 'examples' | 'responses'

export const reference = (kind: Kind, name: string) => ({ $ref: `#/components/${kind}/${name}` })

export function headerReferences(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map(name => [name, reference('headers', name)]))
}

export const mapValues = <In, Out>(
  record: Readonly<Record<string, In>>,
  to: (value: In) => Out,
): Record<string, Out> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))

export const everyAnswer = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const

/**
 * Returns the components of all operations: the envelopes of §2.1, headers, and the two ways to send a key
 * (§5).
 */
export function sharedComponents() {
  return { schemas: envelopes, headers, parameters, securitySchemes }
}

/** The object is explicitly open, because without properties it would be empty in generated clients. */
const anything = { type: 'object', additionalProperties: true }

const timestamp = { type: 'string', format: 'date-time' }

const envelopes = {
  SuccessEnvelope: {
    type: 'object',
    description: 'What all successful responses have, besides the `data` of the operation.',
    required: ['success', 'message', 'timestamp'],
    properties: { success: { const: true }, message: { type: 'string' }, timestamp },
  },
  ErrorEnvelope: {
    type: 'object',
    required: ['success', 'message', 'errors', 'doc_url', 'timestamp'],
    properties: {
      success: { const: false },
      message: { type: 'string', description: 'For people; the text may change.' },
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
          details: { ...anything, description: 'Depends on the code; see its page.' },
        },
      },
      doc_url: {
        type: ['string', 'null'],
        description: 'The page of the code, or in a 401 the page about keys.',
      },
      timestamp,
    },
  },
  ThrottleBody: {
    type: 'object',
    description: 'The 429 of the per-IP throttle, which is not an envelope and has no code.',
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
    'The id of this request. An id that you send is used if it has 8 to 64 of `[A-Za-z0-9_-]`.',
  ),
  'X-Credits-Charged': header('integer', 'Credits charged for this response; 0 for a replay or an error.', {
    minimum: 0,
  }),
  'X-Credits-Remaining': header(
    'integer',
    'The balance after this request; absent without a quota, and for the demo key.',
    {
      minimum: 0,
    },
  ),
  'Idempotency-Replayed': header('string', 'Present if this is the stored response of an earlier request.', {
    const: 'true',
  }),
  'X-RateLimit-Limit': header('integer', 'Requests allowed per IP address and window (usually a minute).'),
  'X-RateLimit-Remaining': header('integer', 'Requests left in this window.'),
  'X-RateLimit-Reset': header('integer', 'Seconds until the next window begins.'),
  'RateLimit-Policy': header('string', 'The same limit in the form of the IETF draft: `"ip";q=100;w=60`.'),
  RateLimit: header('string', 'The same figures in the form of the IETF draft: `"ip";r=99;t=60`.'),
  ETag: header('string', 'Identifies these bytes; for `If-None-Match` and `If-Range`.'),
  'Content-Disposition': header('string', 'Attachment, with the file name.'),
  'Accept-Ranges': header('string', 'The file supports range requests.', { const: 'bytes' }),
  'Content-Range': header('string', 'The range and the size of the file; for a 416 only the size.'),
  Location: header('string', 'The URL of the stored file.'),
  'Cache-Control': header('string', 'How long the response may be cached, and by whom.'),
  'Access-Control-Allow-Origin': header('string', 'Pages of any origin may show it.', { const: '*' }),
  'Cross-Origin-Resource-Policy': header('string', 'Pages of any origin may show it.', {
    const: 'cross-origin',
  }),
  'Content-Security-Policy': header('string', 'For an SVG: it cannot run scripts or load anything.'),
  'Retry-After': header('integer', 'Seconds to wait before a retry.', { minimum: 1 }),
  'X-Should-Retry': header(
    'string',
    'Present if a retry fails until the balance, the plan or `max_credits` changes.',
    {
      const: 'false',
    },
  ),
  'WWW-Authenticate': header('string', 'How to send a key.'),
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A random text for each call, the same for all attempts of that call. ' +
      `The first response is stored for ${storedAnswersDays} days and replayed for free; ` +
      'the same key with other parameters is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Recommended. If both are sent, only this one is read.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer`.' },
}
