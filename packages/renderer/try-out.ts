/** Tries Chromium out before its first visit. A page that leaves past its proxy would reach this machine. */
import { createSocket } from 'node:dgram'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { type Connection, UnknownCommand } from './cdp.ts'
import { DoesNotStart } from './chromium-process.ts'
import type { ProxyForVisit } from './rendering.ts'
import { openVisit } from './visit.ts'

/** The page script asks `checkVisibility` for `opacityProperty`, which older versions ignore. */
export const oldestChromium = 121
const budget = { ms: 20_000, bytes: 1_000_000, requests: 10, waitMs: 0 }

/**
 * Throws unless Chromium knows all commands, and no switch that closes a way out is without effect. Returns
 * its version. A known one was tried out before in this process.
 */
export async function tryOut(connection: Connection, known?: string): Promise<string> {
  const { product } = await connection.send('Browser.getVersion')
  const version = /[\d.]+$/.exec(String(product))?.[0] ?? 'of an unknown version'
  const needed = `Chromium ${oldestChromium} or later is needed, and this is Chromium ${version}`
  if (!(Number.parseInt(version, 10) >= oldestChromium)) throw new DoesNotStart('too_old', needed)
  if (version === known) return version
  await using here = await listen()
  try {
    await Promise.all([
      leave(connection, `http://127.0.0.1:${here.port}/`),
      // No proxy is in the way of a name here, so only the rule for names is.
      leave(connection, `http://any.localhost:${here.port}/`, { proxyServer: 'direct://' }),
      visit(connection, here),
    ])
  } catch (error) {
    if (!(error instanceof UnknownCommand)) throw error
    throw new DoesNotStart('too_old', `${needed}, which answers: ${error.message}`)
  }
  if (here.reached.size === 0) return version
  const ways = [...here.reached].join(', ')
  throw new DoesNotStart(
    'not_safe',
    `Chromium ${version} leaves past its proxy (${ways}): no page is rendered`,
  )
}

async function visit(connection: Connection, { port, proxy, decided }: Listening): Promise<void> {
  const tools = { connection, proxy, userAgentSuffix: '', without: [] }
  const first = await openVisit(tools, { url: `http://127.0.0.1:${port}/`, lane: 'check', budget })
  const { dom, message } = await first.see()
  if (dom === null) throw new DoesNotStart('does_not_start', message ?? 'its first page was not read')
  await decided
  await first.close()
}

/** Asks for what nothing but a switch keeps from this machine. */
async function leave(connection: Connection, url: string, context?: object): Promise<void> {
  const { browserContextId } =
    context === undefined ? {} : await connection.send('Target.createBrowserContext', context)
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  const options = { disableCache: true, includeCredentials: false }
  await connection.send('Network.loadNetworkResource', { frameId: targetId, url, options }, sessionId)
  await connection.send('Target.closeTarget', { targetId })
  if (context !== undefined) await connection.send('Target.disposeBrowserContext', { browserContextId })
}

type Listening = AsyncDisposable & {
  port: number
  proxy: ProxyForVisit
  /** The protocols that arrived here. */
  reached: Set<string>
  /** Resolves when something has arrived here, or the page has gathered all addresses without that. */
  decided: Promise<void>
}

/** Listens for what must not arrive, and opens the proxy of a page that tries to send it. */
async function listen(): Promise<Listening> {
  const reached = new Set<string>()
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
  const arrive = (protocol: string) => {
    reached.add(protocol)
    decide()
  }
  const server = createServer(socket => {
    arrive('TCP')
    socket.destroy()
  })
  const udp = createSocket('udp4', () => arrive('UDP'))
  const proxy = createHttpServer(({ url = '' }, response) => {
    if (url.endsWith('/gathered')) decide()
    response.writeHead(200, { 'content-type': 'text/html' }).end(gathering(udp.address().port))
  })
  const host = '127.0.0.1'
  await Promise.all([
    new Promise<void>(resolve => server.listen(0, host, resolve)),
    new Promise<void>(resolve => proxy.listen(0, host, resolve)),
    new Promise<void>(resolve => udp.bind(0, host, resolve)),
  ])
  const close = async () => {
    proxy.closeAllConnections()
    await Promise.all(
      [proxy, server, udp].map(each => new Promise<void>(done => void each.close(() => done()))),
    )
  }
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    decided,
    proxy: {
      port: (proxy.address() as AddressInfo).port,
      isUsedUp: () => false,
      failureOf: () => null,
      [Symbol.asyncDispose]: close,
    },
    [Symbol.asyncDispose]: close,
  }
}

/** WebRTC asks a server on this machine by UDP. It has no address to gather where it may not. */
const gathering = (udpPort: number) => `<!doctype html><title>Way out</title><script>
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] })
  peer.onicegatheringstatechange = () => {
    if (peer.iceGatheringState === 'complete') fetch('/gathered')
  }
  peer.createDataChannel('x')
  peer.createOffer().then(offer => peer.setLocalDescription(offer))</script><body><p>Way out</p>`
