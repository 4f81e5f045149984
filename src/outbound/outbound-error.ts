/** Why a stranger's server gave no file; each is a word that a program can act on. */
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

/** What another day, or another minute, may mend by itself; the others stay until somebody changes something. */
const passing: readonly OutboundReason[] = ['empty', 'broken', 'timeout', 'unreachable', 'stopped', 'no_room']

/** Nothing came of an outbound request. `reason` is for programs, the message for an operator. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly reason: OutboundReason
  /** Whether asking again, unchanged, has a chance. */
  readonly isTransient: boolean

  constructor(
    reason: OutboundReason,
    message: string,
    options: { cause?: unknown; isTransient?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.reason = reason
    this.isTransient = options.isTransient ?? passing.includes(reason)
  }
}
