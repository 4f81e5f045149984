/**
 * The failure catalogue: every way in which the service says no, in one place. A code has one status,
 * one sentence for the public, and one page under docs/errors/. Private causes go to the log, never out.
 */
export const failureCatalogue = {
  invalid_parameter: { status: 400, message: 'A parameter has a value that this operation does not take.' },
  missing_parameter: { status: 400, message: 'A required parameter is missing.' },
  unknown_parameter: { status: 400, message: 'This operation has no parameter of that name.' },
  page_out_of_range: { status: 400, message: 'Pages reach 10,000 rows deep; use "after" to go further.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_domain: { status: 400, message: 'That is not a registrable domain.' },
  unknown_include: { status: 400, message: 'That section is not in the include catalogue.' },
  unknown_platform: { status: 400, message: 'That name is not a reviewed platform.' },
  event_type_not_available: { status: 400, message: 'That event type is not available.' },
  platform_brand_in_query: { status: 400, message: 'Free previews do not search by platform brand.' },
  invalid_cursor: { status: 400, message: 'That cursor was not made by this service, or was altered.' },
  cursor_filter_mismatch: { status: 400, message: 'That cursor belongs to a request with other filters.' },
  legacy_cursor_not_supported: { status: 400, message: 'Cursors of the old feed are not supported.' },
  max_credits_exceeded: { status: 402, message: 'The request could cost more than max_credits allows.' },
  plan_upgrade_required: { status: 402, message: 'Your plan does not include this feature.' },
  demo_key_restricted: { status: 403, message: 'The demo key answers its documented templates only.' },
  not_found: { status: 404, message: 'Nothing matches.' },
  route_not_found: { status: 404, message: 'There is no such path.' },
  export_pending: { status: 404, message: 'The export is not finished yet.' },
  export_expired: { status: 404, message: 'The export has expired.' },
  export_failed: { status: 404, message: 'The export failed; nothing was charged.' },
  method_not_allowed: { status: 405, message: 'This path does not take that method.' },
  ambiguous_license_number: { status: 409, message: 'Several jurisdictions use that license number.' },
  conflicting_lookup_input: { status: 409, message: 'The inputs lead to different companies.' },
  idempotency_key_reused: { status: 409, message: 'That Idempotency-Key was used with other parameters.' },
  prospect_list_not_ready: { status: 409, message: 'The prospect list is not ready yet.' },
  body_too_large: { status: 413, message: 'The body is larger than this operation takes.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  unprocessable_body: { status: 422, message: 'The body is well formed, but cannot be carried out.' },
  quota_exceeded: { status: 429, message: 'The credit balance is exhausted.' },
  internal_error: { status: 500, message: 'The request failed before delivery; nothing was charged.' },
  search_unavailable: { status: 503, message: 'Search did not answer in time; try again.' },
  service_unavailable: { status: 503, message: 'The service cannot answer right now; try again.' },
} as const

export type FailureCode = keyof typeof failureCatalogue

export type FailureOptions = {
  /** What the client is told beyond the code; JSON, shown as errors.details. */
  details?: Record<string, unknown>
  /** A sentence for this very case instead of the catalogue's. */
  message?: string
  /** Seconds after which a retry makes sense; becomes the Retry-After header. */
  retryAfterSeconds?: number
  /** What really happened; for the log alone. */
  cause?: unknown
}

/** Thrown by operations; the edge turns it into the error envelope (§2.1). */
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
