import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { checkRedirect, checkTarget, shown, type Target } from './check-target.ts'
import { asOutboundError } from './explain.ts'
import { OutboundError } from './outbound-error.ts'
import { openAgent } from './public-agent.ts'
import { type SpooledFile, spool } from './spooled-file.ts'
import { acceptedEncodings, unpackBody } from './unpack.ts'

const redirectsMax = 5
const redirectStatuses = [301, 302, 303, 307, 308]
/** Servers that fail, or ask for patience, may answer the next time. */
const transientStatuses = [408, 425, 429, 500, 502, 503, 504]
const silenceMsMaxDefault = 30_000
const validatorShape = /^[\x21-\x7e]([\x20-\x7e]{0,254}[\x21-\x7e])?$/
/** Tells those who look at their logs what it is. */
const userAgent = 'Baize (reads public registers of gambling licenses)'

export type FetchFileOptions = {
  url: string
  /** What the last answer said of itself: the server then need not send the same again. */
  etag?: string | null
  lastModified?: string | null
  /** The most that is taken, unpacked. */
  bytesMax: number
  /** For everything together: redirects, headers, body. */
  timeoutMs: number
  /** `host:port` as settings give them; these alone may have an address that is not public. */
  allowedHosts: readonly string[]
  /** Ends the fetching when the process is told to stop. */
  signal?: AbortSignal | undefined
  silenceMsMax?: number
  lookup?: LookupFunction
}

export type FetchedFile = {
  status: 'fetched'
  /** To be disposed of by the caller. */
  file: SpooledFile
  etag: string | null
  lastModified: string | null
  finalUrl: string
}

export type FetchOutcome = FetchedFile | { status: 'not_modified'; finalUrl: string }

/**
 * Fetches a file of a stranger's server to disk: bounded in time, bytes and redirects, over http or https, from public
 * addresses alone, each redirect checked anew. Fails with an OutboundError, and leaves nothing behind.
 */
export async function fetchFile(options: FetchFileOptions): Promise<FetchOutcome> {
  const limit = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
  let target = checkTarget(options.url, options.allowedHosts)
  try {
    for (let redirects = 0; ; redirects += 1) {
      const next = await ask(target, options, signal)
      if ('status' in next) return next
      if (redirects === redirectsMax)
        throw new OutboundError('too_many_redirects', `more than ${redirectsMax} redirects`)
      target = checkRedirect(target.url, next.location, options.allowedHosts)
    }
  } catch (error) {
    throw asOutboundError(error, target.url, { limit, stop: options.signal, timeoutMs: options.timeoutMs })
  }
}

type Redirect = { location: string }

/** What was asked for, or where it is said to be. */
async function ask(
  { url, isAllowedHost }: Target,
  options: FetchFileOptions,
  signal: AbortSignal,
): Promise<FetchOutcome | Redirect> {
  const silenceMsMax = Math.min(options.silenceMsMax ?? silenceMsMaxDefault, options.timeoutMs)
  const agent = await openAgent({ isAllowedHost, silenceMsMax, lookup: options.lookup })
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: requestHeaders(options),
      signal,
    })
    // An answer that is given up is torn down; untold, that error would end the process.
    answer.body.on('error', () => {})
    return await take(answer, url, options)
  } finally {
    await agent.destroy()
  }
}

async function take(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  options: FetchFileOptions,
): Promise<FetchOutcome | Redirect> {
  const header = (name: string): string | null => {
    const value = headers[name]
    return (Array.isArray(value) ? value.join(', ') : value) ?? null
  }
  const location = header('location')
  if (redirectStatuses.includes(statusCode) && location !== null) return { location }
  const isConditional = Boolean(options.etag || options.lastModified)
  if (statusCode === 304 && isConditional) return { status: 'not_modified', finalUrl: url.href }
  if (statusCode !== 200) {
    throw new OutboundError('bad_status', `${shown(url)} answers with status ${statusCode}`, {
      isTransient: transientStatuses.includes(statusCode),
    })
  }
  const file = await spool(unpackBody(body as Readable, header('content-encoding'), options.bytesMax))
  if (file.bytes === 0) {
    await file.dispose()
    throw new OutboundError('empty', `${shown(url)} answers with nothing`)
  }
  return {
    status: 'fetched',
    file,
    etag: validatorOf(header('etag')),
    lastModified: validatorOf(header('last-modified')),
    finalUrl: url.href,
  }
}

/** What is sent back with the next request: a value that no header may carry is not kept. */
function validatorOf(value: string | null): string | null {
  return value !== null && validatorShape.test(value) ? value : null
}

function requestHeaders({ etag, lastModified }: FetchFileOptions): Record<string, string> {
  return {
    accept: '*/*',
    'accept-encoding': acceptedEncodings,
    'user-agent': userAgent,
    ...(etag ? { 'if-none-match': etag } : {}),
    ...(lastModified ? { 'if-modified-since': lastModified } : {}),
  }
}
