/** All errors of this package but aborts, which throw the reason of their signal. */
export class BaizeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

export type ApiErrorFacts = {
  status: number
  /** For programs; null in a 401, in the 429 of the throttle, and in answers that are not Baize's. */
  code: string | null
  /** What the service says is wrong. `message` adds status, code and request. */
  reason: string
  /** Depends on the code. */
  details: Record<string, unknown>
  /** The page that says what to do. */
  docUrl: string | null
  /** Identifies the request in the log of the service. */
  requestId: string | null
  retryAfterSeconds: number | null
  /** Its body was read: it is `text`. */
  response: Response
  text: string
  attempts: number
  /** A call again with this key is not charged twice. */
  idempotencyKey: string | null
}

/** The service refused. Each code has a class of its own; a code that is new has this one. */
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
    // Left out where an error is printed: they are long.
    for (const name of ['response', 'text']) Object.defineProperty(this, name, { enumerable: false })
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {}

/** 429 of the throttle, which counts requests per IP address. An empty balance is a QuotaExceededError. */
export class ThrottledError extends ApiError {}

export type ConnectionErrorFacts = { cause?: unknown; attempts: number; idempotencyKey: string | null }

/** No complete answer. The call may have been charged: with the same key it is not charged again. */
export class ConnectionError extends BaizeError {
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(message: string, { cause, attempts, idempotencyKey }: ConnectionErrorFacts) {
    super(message, { cause })
    this.attempts = attempts
    this.idempotencyKey = idempotencyKey
  }
}

/** No complete answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {}
