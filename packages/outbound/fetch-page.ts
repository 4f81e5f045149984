import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { type CertificateFacts, certificateFacts } from './certificate-facts.ts'
import { checkTarget } from './check-target.ts'
import type { NetworkSettings } from './network-settings.ts'
import { openRoute } from './open-route.ts'
import { portOf } from './open-socket.ts'
import { OutboundError } from './outbound-error.ts'
import { type PageFailure, pageFailureOf } from './page-failure.ts'
import { acceptedEncodings } from './unpack.ts'

const portsOfSites = [80, 443]
const headerCharactersMax = 4_096
const headersMax = 100
const pageAccept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5'

export type FetchRequest = {
  url: string
  userAgent: string
  accept?: string
  /** The ETag of the stored copy. An unchanged page answers 304. */
  etag?: string | null
  /** Sends a body by POST. */
  post?: { body: string; headers: Record<string, string> }
  /** The limit of the request as a whole. Silence has no shorter limit. */
  timeoutMs: number
  /** A larger body is cut. Received and unpacked bytes are limited separately. */
  bytesMax: number
  signal: AbortSignal
}

export type FetchedPage = {
  status: number
  /** The headers by name in lower case. Several values are joined. */
  headers: Record<string, string>
  /** The target of the `location` header; null if it is missing or not a URL. */
  location: string | null
  body: Uint8Array
  truncated: boolean
  certificate: CertificateFacts | null
}

export type PageOutcome = FetchedPage | { failure: PageFailure }

/** Sends one request and follows no redirect. */
export async function fetchPage(request: FetchRequest, network: NetworkSettings): Promise<PageOutcome> {
  const limit = AbortSignal.timeout(request.timeoutMs)
  try {
    return await requestPage(request, network, AbortSignal.any([limit, request.signal]))
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    return { failure: pageFailureOf(error, { isTimeout: limit.aborted, timeoutMs: request.timeoutMs }) }
  }
}

async function requestPage(
  request: FetchRequest,
  network: NetworkSettings,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const target = checkTarget(request.url, network.allowedHosts)
  const { url } = target
  if (!target.isAllowedHost && !portsOfSites.includes(portOf(url)))
    throw new OutboundError(
      'refused_address',
      `port ${portOf(url)} is not one of ${portsOfSites.join(' and ')}`,
    )
  let certificate: CertificateFacts | null = null
  const agent = await openRoute(target, network, {
    signal,
    silenceMsMax: 0,
    onSecure: socket => {
      certificate = certificateFacts(socket)
    },
  })
  try {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.post === undefined ? 'GET' : 'POST',
      body: request.post?.body ?? null,
      headers: {
        host: url.host,
        'user-agent': request.userAgent,
        accept: request.accept ?? pageAccept,
        'accept-language': 'en;q=0.8,*;q=0.5',
        'accept-encoding': acceptedEncodings,
        ...(request.etag ? { 'if-none-match': request.etag } : {}),
        ...request.post?.headers,
      },
      signal,
    })
    response.body.on('error', () => {})
    const headers = boundedHeaders(response.headers)
    const { body, truncated } = await readBody(
      response.body as Readable,
      headers['content-encoding'] ?? null,
      request.bytesMax,
    )
    const location = targetOf(headers.location, url)
    return { status: response.statusCode, headers, location, body, truncated, certificate }
  } finally {
    await agent.destroy()
  }
}

function boundedHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, headersMax)
      .map(([name, value]) => [
        name.toLowerCase(),
        String(Array.isArray(value) ? value.join(name === 'set-cookie' ? '\n' : ', ') : value).slice(
          0,
          headerCharactersMax,
        ),
      ]),
  )
}

function targetOf(location: string | undefined, base: URL): string | null {
  if (location === undefined || !URL.canParse(location, base.href)) return null
  const target = new URL(location, base.href)
  target.hash = ''
  return target.protocol === 'http:' || target.protocol === 'https:' ? target.href : null
}

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Reads the unpacked beginning of a body, at most `bytesMax`. Later bytes are not received. */
async function readBody(
  body: Readable,
  encoding: string | null,
  bytesMax: number,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const name = encoding?.trim().toLowerCase() ?? ''
  const isPlain = name === '' || name === 'identity'
  if (!isPlain && !Object.hasOwn(unpackers, name)) {
    body.destroy()
    throw new OutboundError('unknown_encoding', `the response has the encoding "${name.slice(0, 40)}"`)
  }
  const unpacked = isPlain ? body : pipeline(body, unpackers[name as keyof typeof unpackers](), () => {})
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
    const room = bytesMax - bytes
    if (chunk.byteLength > room) {
      chunks.push(chunk.subarray(0, room))
      return { body: Buffer.concat(chunks), truncated: true }
    }
    chunks.push(chunk)
    bytes += chunk.byteLength
  }
  return { body: Buffer.concat(chunks), truncated: false }
}
