import { ApiError, type ApiErrorFacts, ThrottledError, UnauthorizedError } from './api-error.ts'
import { errorClasses } from './error-codes.ts'

type Attempt = { attempts: number; idempotencyKey: string | null }

type ErrorBody = {
  message?: unknown
  errors?: { code?: unknown; details?: unknown }
  doc_url?: unknown
  retry_after?: unknown
}

export function errorOf(response: Response, text: string, attempt: Attempt): ApiError {
  const body = parseObject(text) as ErrorBody
  const code = textOr(body.errors?.code, null)
  const { status, headers } = response
  const facts: ApiErrorFacts = {
    status,
    code,
    reason: reasonOf(response, textOr(body.message, null)),
    details: isObject(body.errors?.details) ? body.errors.details : {},
    docUrl: textOr(body.doc_url, null),
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(headers),
    response,
    text,
    ...attempt,
  }
  return new (classOf(facts, body))(facts)
}

function classOf({ status, code }: ApiErrorFacts, body: ErrorBody): new (facts: ApiErrorFacts) => ApiError {
  if (code !== null) return (Object.hasOwn(errorClasses, code) && errorClasses[code]) || ApiError
  if (status === 401) return UnauthorizedError
  return status === 429 && body.retry_after !== undefined ? ThrottledError : ApiError
}

function reasonOf({ status, headers }: Response, message: string | null): string {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null)
    return `The service redirects to ${location}. Set "baseUrl" to its new address.`
  return message ?? 'The answer is not one of Baize.'
}

/** Reads the seconds to wait. The header has seconds or a date. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - Date.now()) / 1000))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = <Default>(value: unknown, otherwise: Default): string | Default =>
  typeof value === 'string' ? value : otherwise

/** Parses a JSON object. Returns {} for any other text. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
