import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { checkRedirect, checkTarget, shownUrl, type Target } from './check-target.ts'
import { asOutboundError } from './explain.ts'
import type { NetworkSettings } from './network-settings.ts'
import { openRoute } from './open-route.ts'
import { OutboundError } from './outbound-error.ts'
import { type SpooledFile, spool } from './spooled-file.ts'
import { acceptedEncodings, unpackBody } from './unpack.ts'

const redirectsMax = 5
const redirectStatuses = [301, 302, 303, 307, 308]
const transientStatuses = [408, 425, 429, 500, 502, 503, 504]
const silenceMsMaxDefault = 30_000
const validatorShape = /^[\x21-\x7e]([\x20-\x7e]{0,254}[\x21-\x7e])?$/
/** Identifies Baize in the logs of registers. */
const userAgent = 'Baize (reads public registers of gambling licenses)'

export type FetchFileOptions = {
  url: string
  /** The validators of the last response, for a conditional request. */
  etag?: string | null
  lastModified?: string | null
  /** A fixed body that is sent by POST. Its answer is never conditional. */
  post?: { type: string; body: string } | undefined
  /** Certificates in PEM that are trusted besides the usual ones, at the host of `url` alone. */
  extraCa?: string | undefined
  /** The limit of the unpacked file. */
  bytesMax: number
  /** The limit of the whole fetch, including redirects and body. */
  timeoutMs: number
  network: NetworkSettings
  signal?: AbortSignal | undefined
  silenceMsMax?: number
}

export type FetchedFile = {
  status: 'fetched'
  /** The file, of which the caller disposes. */
  file: SpooledFile
  etag: string | null
  lastModified: string | null
  /** The type in lower case, without parameters; null if the server sent no type. */
  mediaType: string | null
  finalUrl: string
}

export type FetchOutcome = FetchedFile | { status: 'not_modified'; finalUrl: string }

/**
 * Fetches a file from a foreign server to disk, over http or https. Time, bytes and redirects are bounded.
 * Each address must be public, including those of redirects. Fails with an OutboundError and leaves no file
 * behind.
 */
export async function fetchFile(options: FetchFileOptions): Promise<FetchOutcome> {
  const limit = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
  let target = checkTarget(options.url, options.network.allowedHosts)
  let sent: FetchFileOptions =
    options.post === undefined ? options : { ...options, etag: null, lastModified: null }
  try {
    for (let redirects = 0; ; redirects += 1) {
      const next = await request(target, sent, signal)
      if (!('location' in next)) return next
      if (redirects === redirectsMax)
        throw new OutboundError('too_many_redirects', `more than ${redirectsMax} redirects`)
      target = checkRedirect(target.url, next.location, options.network.allowedHosts)
      // A browser sends the body again after these answers alone.
      if (![307, 308].includes(next.status)) sent = { ...sent, post: undefined }
    }
  } catch (error) {
    throw asOutboundError(error, target.url, { limit, stop: options.signal, timeoutMs: options.timeoutMs })
  }
}

type Redirect = { location: string; status: number }

async function request(
  target: Target,
  options: FetchFileOptions,
  signal: AbortSignal,
): Promise<FetchOutcome | Redirect> {
  const silenceMsMax = Math.min(options.silenceMsMax ?? silenceMsMaxDefault, options.timeoutMs)
  const { url } = target
  const extraCa = url.hostname === new URL(options.url).hostname ? options.extraCa : undefined
  const agent = await openRoute(target, options.network, { signal, silenceMsMax, extraCa })
  try {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: options.post === undefined ? 'GET' : 'POST',
      headers: requestHeaders(options),
      body: options.post?.body ?? null,
      signal,
    })
    // An abandoned response emits an error, which would end the process without a listener.
    response.body.on('error', () => {})
    return await receive(response, url, options)
  } finally {
    await agent.destroy()
  }
}

async function receive(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  options: FetchFileOptions,
): Promise<FetchOutcome | Redirect> {
  const header = (name: string): string | null => {
    const value = headers[name]
    return (Array.isArray(value) ? value.join(', ') : value) ?? null
  }
  const location = header('location')
  if (redirectStatuses.includes(statusCode) && location !== null) return { location, status: statusCode }
  const isConditional = Boolean(options.etag || options.lastModified)
  if (statusCode === 304 && isConditional) return { status: 'not_modified', finalUrl: url.href }
  if (statusCode !== 200) {
    throw new OutboundError('bad_status', `${shownUrl(url)} responded with status ${statusCode}`, {
      isTransient: transientStatuses.includes(statusCode),
      retryAfterMs: retryAfterMs(header('retry-after')),
    })
  }
  const file = await spool(unpackBody(body as Readable, header('content-encoding'), options.bytesMax))
  if (file.bytes === 0) {
    await file.dispose()
    throw new OutboundError('empty', `${shownUrl(url)} responded with an empty body`)
  }
  return {
    status: 'fetched',
    file,
    etag: validatorOf(header('etag')),
    lastModified: validatorOf(header('last-modified')),
    mediaType: header('content-type')?.split(';')[0]?.trim().toLowerCase().slice(0, 100) || null,
    finalUrl: url.href,
  }
}

/** Reads seconds or a date (RFC 9110). */
function retryAfterMs(value: string | null): number | null {
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : null
}

/** Returns a validator that can be sent in a header, or null. */
function validatorOf(value: string | null): string | null {
  return value !== null && validatorShape.test(value) ? value : null
}

function requestHeaders({ etag, lastModified, post }: FetchFileOptions): Record<string, string> {
  return {
    accept: '*/*',
    'accept-encoding': acceptedEncodings,
    'user-agent': userAgent,
    ...(post === undefined ? {} : { 'content-type': post.type }),
    ...(etag ? { 'if-none-match': etag } : {}),
    ...(lastModified ? { 'if-modified-since': lastModified } : {}),
  }
}
