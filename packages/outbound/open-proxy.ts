import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { checkTarget, type Target } from './check-target.ts'
import type { NetworkSettings } from './network-settings.ts'
import { judgedAddresses, openSocket } from './open-socket.ts'
import { OutboundError } from './outbound-error.ts'
import { pageFailureOf } from './page-failure.ts'
import type { Address } from './resolve-records.ts'

/** Chromium asks these for itself. No page needs them to be seen. */
const refusedHosts = [
  'accounts.google.com',
  'android.clients.google.com',
  'clients1.google.com',
  'clients2.google.com',
  'clients2.googleusercontent.com',
  'clients4.google.com',
  'content-autofill.googleapis.com',
  'edgedl.me.gvt1.com',
  'mtalk.google.com',
  'optimizationguide-pa.googleapis.com',
  'redirector.gvt1.com',
  'safebrowsing.googleapis.com',
  'update.googleapis.com',
]
const portsOfSites = ['80', '443']
const connectMsMax = 10_000
const connectionsMax = 500
const hostsMax = 500
/** A proxy passes on none of these (RFC 9110, section 7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export type OpenedProxy = AsyncDisposable & {
  port: number
  isUsedUp(): boolean
  /** Says why a host was not reached; null if it was. */
  failureOf(host: string): string | null
}

/**
 * Opens an HTTP proxy on 127.0.0.1 for one visit of a browser, which has no other way out. It resolves each
 * name once, judges the addresses and connects to a judged one. It stops at a number of bytes in both
 * directions.
 */
export async function openProxy(
  network: NetworkSettings,
  { bytesMax }: { bytesMax: number },
): Promise<OpenedProxy> {
  const visit = new VisitProxy(network, bytesMax)
  // What a page sends can be refused by Node, too, and must not end the process.
  const server = createServer((request, response) => {
    visit.pass(request, response).catch(() => response.destroy())
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    visit.tunnel(request, socket, head).catch(() => socket.destroy())
  })
  server.on('connection', (socket: Socket) => visit.keep(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    isUsedUp: () => visit.isUsedUp(),
    failureOf: host => visit.failures.get(host) ?? null,
    [Symbol.asyncDispose]: () => {
      visit.end()
      return new Promise(resolve => void server.close(() => resolve()))
    },
  }
}

class VisitProxy {
  readonly failures = new Map<string, string>()
  readonly #network: NetworkSettings
  readonly #bytesMax: number
  readonly #addresses = new Map<string, Promise<Address[]>>()
  readonly #sockets = new Set<Duplex>()
  readonly #ended = new AbortController()
  #bytes = 0
  #connections = 0

  constructor(network: NetworkSettings, bytesMax: number) {
    this.#network = network
    this.#bytesMax = bytesMax
  }

  isUsedUp(): boolean {
    return this.#bytes >= this.#bytesMax
  }

  end(): void {
    this.#ended.abort()
    for (const socket of this.#sockets) socket.destroy()
  }

  keep(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket))
    if (this.#ended.signal.aborted) socket.destroy()
  }

  /** Opens a tunnel for HTTPS and WebSockets. */
  async tunnel({ url: place = '' }: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const remote = await this.#reach(`https://${place}`)
    if (remote === null) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    if (head.length > 0) remote.write(head)
    this.#count(socket)
    socket.pipe(remote).pipe(socket)
    socket.on('close', () => remote.destroy())
    remote.on('close', () => socket.destroy())
  }

  /** Passes on one request without encryption. Without an answer, the browser sees a broken connection. */
  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: text = '', method = 'GET', rawHeaders, headers } = request
    const remote = text.startsWith('http://') ? await this.#reach(text) : null
    if (remote === null) return void request.socket.destroy()
    const { host, pathname, search } = new URL(text)
    const passed = rawHeaders.flatMap((name, index) =>
      index % 2 === 1 || ofConnection.has(name.toLowerCase())
        ? []
        : [[name, rawHeaders[index + 1] as string]],
    )
    const options = { createConnection: () => remote, method, path: `${pathname}${search}`, setHost: false }
    const withoutHost = passed.filter(([name]) => name?.toLowerCase() !== 'host')
    const all = { ...Object.fromEntries(withoutHost), host, connection: 'close' }
    const sent = sendRequest({ ...options, headers: all }, answer => {
      answer.on('error', () => response.destroy())
      if (!passHead(answer, response)) return void response.destroy()
      answer.pipe(response).on('error', () => {})
    })
    sent.on('error', () => response.destroy())
    response.on('close', () => remote.destroy())
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return void sent.end()
    this.#count(request)
    request.pipe(sent)
  }

  /** Returns a connection to the judged host of a URL, or null. */
  async #reach(text: string): Promise<Socket | null> {
    const host = URL.parse(text)?.hostname ?? ''
    try {
      if (this.isUsedUp())
        throw new OutboundError('too_large', `the visit has used up ${this.#bytesMax} bytes`)
      this.#connections += 1
      if (this.#connections > connectionsMax)
        throw new OutboundError('too_large', `the visit has opened ${connectionsMax} connections`)
      const target = judgedTarget(text, this.#network)
      const limit = AbortSignal.any([AbortSignal.timeout(connectMsMax), this.#ended.signal])
      const remote = await openSocket(target.url, await this.#resolve(target), this.#network, limit)
      this.keep(remote)
      this.#count(remote)
      return remote
    } catch (error) {
      const { message } = pageFailureOf(error, { isTimeout: false, timeoutMs: connectMsMax })
      if (this.failures.size < hostsMax) this.failures.set(host, message)
      return null
    }
  }

  /** A name that resolves to another address later is not asked again. */
  #resolve(target: Target): Promise<Address[]> {
    const { host } = target.url
    const known = this.#addresses.get(host)
    if (known !== undefined) return known
    const resolved = judgedAddresses(target, this.#network)
    if (this.#addresses.size < hostsMax) this.#addresses.set(host, resolved)
    return resolved
  }

  #count(stream: Readable): void {
    stream.on('data', (piece: Buffer) => {
      this.#bytes += piece.byteLength
      if (this.isUsedUp()) this.end()
    })
  }
}

/** Returns false for a status or a header that Node reads and refuses to write, such as status 099. */
function passHead(answer: IncomingMessage, response: ServerResponse): boolean {
  const kept = Object.entries(answer.headersDistinct).filter(([name]) => !ofConnection.has(name))
  try {
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept) as Record<string, string[]>)
    return true
  } catch {
    return false
  }
}

function judgedTarget(text: string, { allowedHosts }: NetworkSettings): Target {
  const target = checkTarget(text, allowedHosts)
  const { hostname, port, protocol } = target.url
  const number = port || (protocol === 'https:' ? '443' : '80')
  if (target.isAllowedHost) return target
  if (refusedHosts.includes(hostname))
    throw new OutboundError('refused_address', `${hostname} is not for pages`)
  if (!portsOfSites.includes(number))
    throw new OutboundError('refused_address', `port ${number} is not one of ${portsOfSites.join(' and ')}`)
  return target
}
