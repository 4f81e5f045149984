/** The class of all errors of this package. An aborted call throws the reason of its signal instead. */
export class BaizeError extends Error {
  // Older settings of TypeScript lack the type ErrorOptions.
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
  }
}

export type ApiErrorFacts = {
  status: number
  /**
   * The error code for programs. Is null in a 401, in the 429 of the throttle, and in answers that are not
   * Baize's.
   */
  code: string | null
  /** The service's message. `message` adds the status, the code and the request id. */
  reason: string
  /** Details whose shape depends on the code. */
  details: Record<string, unknown>
  /** The page that explains the error and what to do. */
  docUrl: string | null
  /** Identifies the request in the log of the service. */
  requestId: string | null
  retryAfterSeconds: number | null
  /** The response. Its body was already read: `text` has it. */
  response: Response
  text: string
  attempts: number
  /** The key of the call. Calling again with this key is not charged twice. */
  idempotencyKey: string | null
}

/** The service refused the call. Each known code has its own class; an unknown code has this one. */
export class ApiError extends BaizeError {
  declare readonly status: ApiErrorFacts['status']
  declare readonly code: ApiErrorFacts['code']
  declare readonly reason: ApiErrorFacts['reason']
  declare readonly details: ApiErrorFacts['details']
  declare readonly docUrl: ApiErrorFacts['docUrl']
  declare readonly requestId: ApiErrorFacts['requestId']
  declare readonly retryAfterSeconds: ApiErrorFacts['retryAfterSeconds']
  declare readonly response: ApiErrorFacts['response']
  declare readonly text: ApiErrorFacts['text']
  declare readonly attempts: ApiErrorFacts['attempts']
  declare readonly idempotencyKey: ApiErrorFacts['idempotencyKey']

  constructor(facts: ApiErrorFacts) {
    const { reason, status, code, requestId } = facts
    const about = [status, code, requestId && `request ${requestId}`].filter(each => each !== null)
    super(`${reason} (${about.join(', ')})`)
    Object.assign(this, facts)
    // Hides these two from printed errors, because they are long.
    for (const name of ['response', 'text']) Object.defineProperty(this, name, { enumerable: false })
  }
}

/** The answer 401: the key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {}

/**
 * The 429 of the throttle, which counts requests per IP address. An empty balance is a QuotaExceededError.
 */
export class ThrottledError extends ApiError {}

export type ConnectionErrorFacts = { cause?: unknown; attempts: number; idempotencyKey: string | null }

/**
 * No complete answer arrived. The call may have been charged; with the same key it is not charged again.
 */
export class ConnectionError extends BaizeError {
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(message: string, { cause, attempts, idempotencyKey }: ConnectionErrorFacts) {
    super(message, { cause })
    this.attempts = attempts
    this.idempotencyKey = idempotencyKey
  }
}

/** No complete answer arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {}
