import { OutboundError } from './outbound-error.ts'

export type PageFailureReason =
  | 'timeout'
  | 'refused_connection'
  | 'refused_address'
  | 'name_not_found'
  | 'name_unresolved'
  | 'tls'
  | 'broken'

export class PageFailure extends Error {
  override readonly name = 'PageFailure'
  readonly reason: PageFailureReason

  constructor(reason: PageFailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const refusals = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']
const nameErrors: Record<string, PageFailureReason> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_unresolved',
}
const messageCharactersMax = 300

type Limit = { isTimeout: boolean; timeoutMs: number }

/** Explains why there is no response. The message is for staff and has no path or query. */
export function failureOf(
  error: unknown,
  { isTimeout, timeoutMs }: Limit,
): { reason: PageFailureReason; message: string } {
  if (error instanceof PageFailure) return { reason: error.reason, message: error.message }
  if (isTimeout) return { reason: 'timeout', message: `no whole response within ${timeoutMs} ms` }
  if (error instanceof OutboundError) {
    const reason = error.reason === 'refused_address' ? 'refused_address' : 'broken'
    return { reason, message: error.message }
  }
  const cause = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  const code = cause.code ?? cause.errors?.[0]?.code ?? ''
  return { reason: reasonOf(code), message: `${code} ${cause.message}`.trim().slice(0, messageCharactersMax) }
}

function reasonOf(code: string): PageFailureReason {
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (refusals.includes(code)) return 'refused_connection'
  if (/CERT|SSL|TLS|ALTNAME|ISSUER|SIGNATURE|EPROTO/.test(code)) return 'tls'
  return nameErrors[code] ?? 'broken'
}
