import { type Operation, version } from './api.ts'
import { ApiError, ConnectionError, TimeoutError } from './api-error.ts'
import type { CallOptions, Reply } from './call.ts'
import { errorOf, parseObject } from './error-of.ts'
import { pause } from './pause.ts'
import { reasonOf } from './reason-of.ts'
import { requestOf } from './request.ts'

export type Settings = {
  apiKey: string
  /** The address without a final slash. */
  baseUrl: string
  maxRetries: number
  timeoutMs: number
  retryDelayMs: number
  fetch: typeof fetch
}

const retryDelayMsMax = 8_000
/** Limits the wait for a retry. If the service asks for a longer one, the error has `retryAfterSeconds`. */
const retryAfterSecondsMax = 120

type Sent = { url: string; init: RequestInit; idempotencyKey: string | null }

/** Sends until there is an answer, a refusal that a retry cannot change, or no retry is left. */
export async function send<Answer>(
  settings: Settings,
  operation: Operation,
  params: object,
  options: CallOptions,
): Promise<Reply<Answer>> {
  const { signal, maxRetries = settings.maxRetries } = options
  const sent = prepare(settings, operation, params, options)
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted()
    try {
      return await attempt<Answer>(settings, operation, sent, { ...options, attempts })
    } catch (error) {
      if (attempts > maxRetries || !mayRetry(error)) throw error
      await pause(delayMs(error, attempts, settings.retryDelayMs), signal)
    }
  }
}

function prepare(settings: Settings, operation: Operation, params: object, options: CallOptions): Sent {
  const { path, body } = requestOf(operation, params)
  const idempotencyKey = operation.isPriced ? (options.idempotencyKey ?? crypto.randomUUID()) : null
  const headers: Record<string, string> = {
    'x-api-key': settings.apiKey,
    'x-client-version': `baize-api/${version}`,
    ...(body !== null && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    ...options.headers,
  }
  return {
    url: `${settings.baseUrl}${path}`,
    // Redirects are not followed, because one could send the key to another host.
    init: { method: operation.method, headers, body, redirect: 'manual' },
    idempotencyKey,
  }
}

async function attempt<Answer>(
  settings: Settings,
  { isFile = false }: Operation,
  { url, init, idempotencyKey }: Sent,
  options: CallOptions & { attempts: number },
): Promise<Reply<Answer>> {
  const { signal, timeoutMs = settings.timeoutMs, attempts } = options
  const facts = { attempts, idempotencyKey }
  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => ending.abort(), timeoutMs)
  let response: Response
  let text = ''
  try {
    response = await settings.fetch(url, { ...init, signal: ending.signal })
    // The caller reads a file without a time limit.
    if (isFile && (response.ok || response.status === 304)) return replyOf(response, response, '', facts)
    text = await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    if (ending.signal.aborted)
      throw new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause, ...facts })
    throw new ConnectionError(`No answer from ${new URL(url).host}: ${reasonOf(cause)}`, { cause, ...facts })
  } finally {
    clearTimeout(timer)
    if (!isFile) signal?.removeEventListener('abort', end)
  }
  if (!response.ok) throw errorOf(response, text, facts)
  const { success, data } = parseObject(text)
  if (success !== true || data === undefined)
    throw new ConnectionError('The answer is cut off, or not one of Baize.', facts)
  return replyOf(response, data, text, facts)
}

function replyOf<Answer>(
  response: Response,
  data: unknown,
  text: string,
  facts: { attempts: number; idempotencyKey: string | null },
): Reply<Answer> {
  const { headers } = response
  return {
    data: data as Answer,
    response,
    text,
    requestId: headers.get('x-request-id'),
    creditsCharged: numberOf(headers.get('x-credits-charged')),
    creditsRemaining: numberOf(headers.get('x-credits-remaining')),
    isReplay: headers.get('idempotency-replayed') === 'true',
    ...facts,
  }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

/**
 * Checks for a failure that may pass. All operations may be repeated: free ones read or set, and priced ones
 * have a key.
 */
function mayRetry(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ApiError)) return false
  if ((error.retryAfterSeconds ?? 0) > retryAfterSecondsMax) return false
  const advice = error.response.headers.get('x-should-retry')
  if (advice !== null) return advice === 'true'
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/** Doubles the wait each time and adds jitter, so that clients do not retry at the same moment. */
function delayMs(error: unknown, attempts: number, firstMs: number): number {
  const backoffMs = Math.min(retryDelayMsMax, firstMs * 2 ** (attempts - 1))
  const askedSeconds = error instanceof ApiError ? error.retryAfterSeconds : null
  if (askedSeconds !== null) return askedSeconds * 1000 + backoffMs * Math.random()
  return backoffMs * (0.5 + Math.random() / 2)
}
