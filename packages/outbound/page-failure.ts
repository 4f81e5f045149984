import { OutboundError } from './outbound-error.ts'

type Reason =
  | 'timeout'
  | 'refused_connection'
  | 'refused_address'
  | 'name_not_found'
  | 'name_unresolved'
  | 'tls'
  | 'broken'

export type PageFailure = { reason: Reason; message: string }

const refusals = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']
const nameErrors: Record<string, Reason> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_unresolved',
}
const messageCharactersMax = 300

type Limit = { isTimeout: boolean; timeoutMs: number }

/** Explains why there is no response. The message is for staff and has no path or query. */
export function pageFailureOf(error: unknown, { isTimeout, timeoutMs }: Limit): PageFailure {
  if (isTimeout) return { reason: 'timeout', message: `no whole response within ${timeoutMs} ms` }
  if (error instanceof OutboundError) {
    const reason = error.reason === 'refused_address' ? 'refused_address' : 'broken'
    return { reason, message: error.message }
  }
  const cause = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  const code = cause.code ?? cause.errors?.[0]?.code ?? ''
  return { reason: reasonOf(code), message: `${code} ${cause.message}`.trim().slice(0, messageCharactersMax) }
}

function reasonOf(code: string): Reason {
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (refusals.includes(code)) return 'refused_connection'
  if (/CERT|SSL|TLS|ALTNAME|ISSUER|SIGNATURE|EPROTO/.test(code)) return 'tls'
  return nameErrors[code] ?? 'broken'
}
