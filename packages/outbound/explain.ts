import { shownUrl } from './check-target.ts'
import { OutboundError } from './outbound-error.ts'

export type Limits = { limit: AbortSignal; stop: AbortSignal | undefined; timeoutMs: number }

const silences: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'did not accept a connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not send a response in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its response',
  ETIMEDOUT: 'did not accept a connection in time',
}

const unreached: Record<string, string> = {
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that cannot be resolved now',
  ECONNREFUSED: 'refuses connections',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
}

const localErrors = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE']

export function asOutboundError(error: unknown, url: URL, { limit, stop, timeoutMs }: Limits): OutboundError {
  if (error instanceof OutboundError) return error
  const cause = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (stop?.aborted) return new OutboundError('stopped', `fetching ${shownUrl(url)} was stopped`, { cause })
  if (limit.aborted)
    return new OutboundError('timeout', `${shownUrl(url)} took longer than ${timeoutMs} ms`, { cause })
  const nested = cause.errors?.find(each => each instanceof OutboundError)
  if (nested instanceof OutboundError) return nested
  const code = cause.code ?? ''
  if (localErrors.includes(code))
    return new OutboundError(
      'no_room',
      `the response of ${shownUrl(url)} cannot be stored on this machine (${code})`,
      { cause },
    )
  const silence = silences[code]
  if (silence !== undefined) return new OutboundError('timeout', `${shownUrl(url)} ${silence}`, { cause })
  const missing = unreached[code]
  if (missing !== undefined) return new OutboundError('unreachable', `${shownUrl(url)} ${missing}`, { cause })
  if (/CERT|SSL|TLS|ALTNAME|ISSUER|SIGNATURE/.test(code))
    return new OutboundError('unreachable', `${shownUrl(url)} has no trusted certificate (${code})`, {
      cause,
    })
  return new OutboundError(
    'broken',
    `the response of ${shownUrl(url)} is incomplete or corrupt${code === '' ? '' : ` (${code})`}`,
    { cause },
  )
}
