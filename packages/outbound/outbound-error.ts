export type OutboundReason =
  | 'bad_url'
  | 'not_http'
  | 'credentials_in_url'
  | 'refused_address'
  | 'insecure_redirect'
  | 'too_many_redirects'
  | 'bad_status'
  | 'too_large'
  | 'unknown_encoding'
  | 'empty'
  | 'broken'
  | 'timeout'
  | 'unreachable'
  | 'stopped'
  | 'no_room'

/** These reasons may go away without a change of settings. */
const transient: readonly OutboundReason[] = [
  'empty',
  'broken',
  'timeout',
  'unreachable',
  'stopped',
  'no_room',
]

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly reason: OutboundReason
  readonly isTransient: boolean
  /** The pause that the server asks for in milliseconds; null if the server asks for no pause. */
  readonly retryAfterMs: number | null

  constructor(
    reason: OutboundReason,
    message: string,
    options: { cause?: unknown; isTransient?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.reason = reason
    this.retryAfterMs = options.retryAfterMs ?? null
    this.isTransient = options.isTransient ?? transient.includes(reason)
  }
}
