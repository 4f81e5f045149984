import { shown } from './check-target.ts'
import { OutboundError } from './outbound-error.ts'

export type Limits = { limit: AbortSignal; stop: AbortSignal | undefined; timeoutMs: number }

const silences: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'does not take a connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'does not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer',
  ETIMEDOUT: 'does not take a connection in time',
}

const unreached: Record<string, string> = {
  ENOTFOUND: 'has a host of no known address',
  EAI_AGAIN: 'has a host whose address cannot be asked for now',
  ECONNREFUSED: 'refuses connections',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
}

/** Of the temporary file, not of the server. */
const ownFaults = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE']

/** What the network, the HTTP client and the unpackers throw, as one class with a reason and words. */
export function asOutboundError(error: unknown, url: URL, { limit, stop, timeoutMs }: Limits): OutboundError {
  if (error instanceof OutboundError) return error
  const cause = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (stop?.aborted) return new OutboundError('stopped', `fetching ${shown(url)} was stopped`, { cause })
  if (limit.aborted)
    return new OutboundError('timeout', `${shown(url)} took longer than ${timeoutMs} ms`, { cause })
  const nested = cause.errors?.find(each => each instanceof OutboundError)
  if (nested instanceof OutboundError) return nested
  const code = cause.code ?? ''
  if (ownFaults.includes(code))
    return new OutboundError(
      'no_room',
      `what ${shown(url)} answers cannot be kept on this machine (${code})`,
      { cause },
    )
  const silence = silences[code]
  if (silence !== undefined) return new OutboundError('timeout', `${shown(url)} ${silence}`, { cause })
  const missing = unreached[code]
  if (missing !== undefined) return new OutboundError('unreachable', `${shown(url)} ${missing}`, { cause })
  if (/CERT|SSL|TLS|ALTNAME|ISSUER|SIGNATURE/.test(code))
    return new OutboundError(
      'unreachable',
      `${shown(url)} has no certificate that can be trusted (${code})`,
      {
        cause,
      },
    )
  return new OutboundError(
    'broken',
    `the answer of ${shown(url)} broke off or is garbled (${code || cause.message})`,
    {
      cause,
    },
  )
}
