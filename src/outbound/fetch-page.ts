import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { NetworkSettings } from '../core/network-settings.ts'
import { type CertificateFacts, certificateFacts } from './certificate-facts.ts'
import { checkTarget } from './check-target.ts'
import { openRoute, portOf } from './open-route.ts'
import { failureOf, PageFailure, type PageFailureReason } from './page-failure.ts'
import { readBody } from './read-page-body.ts'
import { acceptedEncodings } from './unpack.ts'

const portsOfSites = [80, 443]
const headerCharactersMax = 4_096
const headersMax = 100
const pageAccept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5'

export type PageRequest = {
  url: string
  userAgent: string
  accept?: string
  /** Of the copy at hand; the answer is 304 if it is unchanged. */
  etag?: string | null
  /** For the request as a whole. There is no shorter limit on silence. */
  timeoutMs: number
  /** A larger body is cut. Received and unpacked bytes count each. */
  bytesMax: number
  signal: AbortSignal
}

export type Page = {
  status: number
  /** Names in lower case; several values are joined. */
  headers: Record<string, string>
  /** The target of the `location` header; null: none, or not a URL. */
  location: string | null
  body: Uint8Array
  truncated: boolean
  certificate: CertificateFacts | null
}

export type PageOutcome = Page | { failure: { reason: PageFailureReason; message: string } }

/** Sends one request and follows no redirect. */
export async function fetchPage(request: PageRequest, network: NetworkSettings): Promise<PageOutcome> {
  const limit = AbortSignal.timeout(request.timeoutMs)
  try {
    return await send(request, network, AbortSignal.any([limit, request.signal]))
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    return { failure: failureOf(error, { isTimeout: limit.aborted, timeoutMs: request.timeoutMs }) }
  }
}

async function send(request: PageRequest, network: NetworkSettings, signal: AbortSignal): Promise<Page> {
  const target = checkTarget(request.url, network.allowedHosts)
  const { url } = target
  if (!target.isAllowedHost && !portsOfSites.includes(portOf(url)))
    throw new PageFailure(
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
      method: 'GET',
      headers: {
        host: url.host,
        'user-agent': request.userAgent,
        accept: request.accept ?? pageAccept,
        'accept-language': 'en;q=0.8,*;q=0.5',
        'accept-encoding': acceptedEncodings,
        ...(request.etag ? { 'if-none-match': request.etag } : {}),
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
