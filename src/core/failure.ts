/**
 * Every error code of the API, with its status and default message. Each has a page, docs/errors/<code>.md.
 */
export const failureCatalogue = {
  invalid_parameter: { status: 400, message: 'A parameter has an invalid value.' },
  missing_parameter: { status: 400, message: 'A required parameter is missing.' },
  unknown_parameter: { status: 400, message: 'This operation has no parameter with that name.' },
  page_out_of_range: {
    status: 400,
    message: 'The page is beyond the first 10,000 rows; use "after" to go further.',
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_domain: { status: 400, message: 'The value is not a registrable domain.' },
  unknown_include: { status: 400, message: 'There is no such section to include.' },
  unknown_platform: { status: 400, message: 'There is no reviewed platform with that name.' },
  event_type_not_available: { status: 400, message: 'This event type is not available.' },
  platform_brand_in_query: { status: 400, message: 'A free preview cannot search by platform brand.' },
  before_history: { status: 400, message: 'Nothing was known at that time yet.' },
  invalid_cursor: { status: 400, message: 'The cursor is invalid or was altered.' },
  cursor_filter_mismatch: { status: 400, message: 'The cursor belongs to a request with other filters.' },
  legacy_cursor_not_supported: { status: 400, message: 'Cursors of the legacy feed are not supported.' },
  budget_exceeded: { status: 402, message: 'The call could cost more than is left of its budget.' },
  max_credits_exceeded: { status: 402, message: 'The request could cost more than max_credits allows.' },
  plan_upgrade_required: { status: 402, message: 'Your plan does not include this feature.' },
  signed_out: { status: 401, message: 'Sign in first.' },
  demo_key_restricted: { status: 403, message: 'The demo key can only send the documented requests.' },
  forged_request: { status: 403, message: 'Forms must be sent from a page of this service.' },
  not_found: { status: 404, message: 'Nothing matches.' },
  route_not_found: { status: 404, message: 'This path does not exist.' },
  export_pending: { status: 404, message: 'The export is not finished yet.' },
  export_expired: { status: 404, message: 'The export has expired.' },
  export_failed: { status: 404, message: 'The export failed. Nothing was charged.' },
  method_not_allowed: { status: 405, message: 'This path does not support that method.' },
  ambiguous_license_number: { status: 409, message: 'Several jurisdictions use this license number.' },
  conflicting_lookup_input: { status: 409, message: 'The inputs match different companies.' },
  idempotency_key_reused: { status: 409, message: 'The Idempotency-Key was used with other parameters.' },
  portfolio_limit: { status: 409, message: 'The account has as many portfolios or members as it may have.' },
  prospect_list_not_ready: { status: 409, message: 'The prospect list is not ready yet.' },
  body_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json, in UTF-8.' },
  unprocessable_body: { status: 422, message: 'The body has an invalid value.' },
  lobby_runs_failed: { status: 429, message: 'Too many of your lobby runs failed within a day.' },
  quota_exceeded: { status: 429, message: 'The credit balance is exhausted.' },
  internal_error: { status: 500, message: 'The request failed. Nothing was charged.' },
  renderer_unavailable: {
    status: 503,
    message: 'No browser is available to see lobbies; nothing was charged.',
  },
  search_unavailable: { status: 503, message: 'The search took too long; try again.' },
  service_unavailable: { status: 503, message: 'The service is unavailable; try again.' },
} as const

export type FailureCode = keyof typeof failureCatalogue

export type FailureOptions = {
  /** The JSON that is sent as `errors.details`. */
  details?: Record<string, unknown>
  /** Replaces the catalogue's message. */
  message?: string
  /** The Retry-After header, in seconds. */
  retryAfterSeconds?: number
  /** The cause is logged and never sent. */
  cause?: unknown
}

export class Failure extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly details: Record<string, unknown>
  readonly retryAfterSeconds: number | undefined

  constructor(code: FailureCode, options: FailureOptions = {}) {
    super(options.message ?? failureCatalogue[code].message, { cause: options.cause })
    this.name = 'Failure'
    this.code = code
    this.status = failureCatalogue[code].status
    this.details = options.details ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

const valueCharactersShown = 100

/** Returns a sent value for a message, in quotation marks; a long one is cut. */
export function quoteValue(value: string): string {
  const isLong = value.length > valueCharactersShown
  return `"${(isLong ? `${value.slice(0, valueCharactersShown)}…` : value).toWellFormed()}"`
}

/** Returns a message that names the refused value and the accepted ones: `"role" must be a string.` */
export function wrongValue(
  parameter: string,
  takes: string,
  code: FailureCode = 'invalid_parameter',
): Failure {
  return new Failure(code, { message: `"${parameter}" must be ${takes}.`, details: { parameter, takes } })
}

const fileStoreRetryAfterSeconds = 10

export function fileStoreUnavailable(cause: unknown): never {
  throw new Failure('service_unavailable', {
    message: 'The file store is unavailable; try again.',
    retryAfterSeconds: fileStoreRetryAfterSeconds,
    cause,
  })
}
