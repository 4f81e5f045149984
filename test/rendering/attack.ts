/** A page that tries to reach this machine from a browser, and the servers on loopback that it tries to reach. */
import { createSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'

export type Loopback = AsyncDisposable & {
  port: number
  udpPort: number
  /** What arrived, by the name of the way in the request; `connection` without one. */
  reached: Set<string>
}

/** Listens on IPv4 and IPv6, and for UDP. */
export async function listenOnLoopback(): Promise<Loopback> {
  const reached = new Set<string>()
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', piece => {
      reached.add(/\/way\/([\w-]+)/.exec(piece.toString('latin1'))?.[1] ?? 'connection')
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\naccess-control-allow-origin: *\r\n\r\n',
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '::', resolve))
  const udp = createSocket('udp4', () => {})
  udp.on('message', () => void reached.add('udp'))
  await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
  return {
    port: portOf(server),
    udpPort: udp.address().port,
    reached,
    [Symbol.asyncDispose]: async () => {
      udp.close()
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const portOf = (server: Server) => (server.address() as { port: number }).port

/** Spellings of this machine, also by names of the test's name server. */
const hosts: Record<string, string> = {
  name: 'localhost',
  subdomain: 'any.localhost',
  ipv6: '[::1]',
  mapped: '[::ffff:127.0.0.1]',
  nat64: '[64:ff9b::7f00:1]',
  decimal: '2130706433',
  hexadecimal: '0x7f000001',
  octal: '0177.0.0.1',
  short: '127.1',
  unspecified: '0.0.0.0',
  other: '127.9.9.9',
  'private-name': 'private.example',
  'changing-name': 'changing.example',
}

/** Each way is one element of the page. */
export function attackPage({ port, udpPort }: Loopback): string {
  const at = (way: string, host = '127.0.0.1') => `http://${host}:${port}/way/${way}`
  const script = `
    const at = way => 'http://127.0.0.1:${port}/way/' + way
    const tries = {
      fetch: () => fetch(at('fetch'), { mode: 'no-cors' }),
      keepalive: () => fetch(at('keepalive'), { mode: 'no-cors', keepalive: true }),
      post: () => fetch(at('post'), { mode: 'no-cors', method: 'POST', body: 'x' }),
      xhr: () => { const r = new XMLHttpRequest(); r.open('GET', at('xhr')); r.send() },
      beacon: () => navigator.sendBeacon(at('beacon'), 'x'),
      websocket: () => new WebSocket('ws://127.0.0.1:${port}/way/websocket'),
      'secure-websocket': () => new WebSocket('wss://127.0.0.1:${port}/way/secure-websocket'),
      eventsource: () => new EventSource(at('eventsource')),
      import: () => import(at('import')),
      popup: () => open(at('popup')),
      worker: () => run("fetch('" + at('worker') + "', { mode: 'no-cors' })"),
      'import-scripts': () => run("importScripts('" + at('import-scripts') + "')"),
      form: () => add('form', { action: at('form'), method: 'post', target: 'target' }).submit(),
      transport: () => new WebTransport('https://127.0.0.1:${port}/way/transport'),
      ping: () => add('a', { href: '#', ping: at('ping') }).click(),
      stun: () => gather('stun:127.0.0.1:${udpPort}'),
      turn: () => gather('turn:127.0.0.1:${port}?transport=tcp'),
      candidate: async () => {
        const peer = new RTCPeerConnection(); peer.createDataChannel('x')
        await peer.setLocalDescription(await peer.createOffer())
        const other = new RTCPeerConnection(); await other.setRemoteDescription(peer.localDescription)
        await other.setLocalDescription(await other.createAnswer())
        await peer.setRemoteDescription(other.localDescription)
        const candidate = 'candidate:1 1 udp 2122260223 127.0.0.1 ${udpPort} typ host'
        await peer.addIceCandidate({ candidate, sdpMid: '0' })
      },
    }
    function run(code) { new Worker(URL.createObjectURL(new Blob([code]))) }
    function add(name, members) {
      const element = Object.assign(document.createElement(name), members)
      document.body.append(element)
      return element
    }
    async function gather(urls) {
      const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'x', credential: 'x' }] })
      peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer())
    }
    for (const attempt of Object.values(tries)) try { Promise.resolve(attempt()).catch(() => {}) } catch {}
    ${JSON.stringify(Object.entries(hosts))}.forEach(([way, host]) => {
      const url = 'http://' + host + ':${port}/way/' + way
      try { fetch(url, { mode: 'no-cors' }).catch(() => {}) } catch {}
    })
    setTimeout(() => fetch('http://changing.example:${port}/way/changed', { mode: 'no-cors' }).catch(() => {}), 300)`
  return `<!doctype html><title>attack</title>
    <link rel="stylesheet" href="${at('stylesheet')}"><link rel="icon" href="${at('icon')}">
    <link rel="prefetch" href="${at('prefetch')}"><link rel="preload" as="fetch" href="${at('preload')}">
    <link rel="preconnect" href="http://127.0.0.1:${port}"><link rel="dns-prefetch" href="//127.0.0.1:${port}">
    <link rel="modulepreload" href="${at('modulepreload')}"><link rel="manifest" href="${at('manifest')}">
    <style>@import "${at('css-import')}"; @font-face { font-family: f; src: url(${at('font')}) }
      body { font-family: f; background: url(${at('background')}) }</style>
    <script src="${at('script')}"></script><p>attack</p><img src="${at('img')}">
    <iframe src="${at('frame')}"></iframe><iframe name="target"></iframe><iframe src="/refresh"></iframe>
    <iframe src="/redirect"></iframe><iframe src="/leave"></iframe>
    <object data="${at('object')}"></object><embed src="${at('embed')}"><audio src="${at('audio')}"></audio>
    <video src="${at('video')}" poster="${at('poster')}"></video>
    <svg><image href="${at('svg-image')}"></image><use href="${at('svg-use')}#a"></use></svg>
    <script type="speculationrules">{"prerender":[{"urls":["${at('prerender')}"]}],
      "prefetch":[{"urls":["${at('speculation')}"]}]}</script>
    <script>${script}</script>`
}

/** Further pages of the attacker, by path. */
export function attackPaths({ port }: Loopback): Record<string, { location?: string; html?: string }> {
  const at = (way: string) => `http://127.0.0.1:${port}/way/${way}`
  return {
    '/refresh': { html: `<meta http-equiv="refresh" content="0;url=${at('refresh')}">` },
    '/redirect': { location: at('redirect') },
    '/leave': { html: `<script>location.href = ${JSON.stringify(at('leave'))}</script>` },
  }
}

/** The number of ways that a page tries. */
export const waysCounted = (page: string) =>
  new Set([...page.matchAll(/\/way\/([\w-]+)|at\('([\w-]+)'\)|gather\('(\w+)/g)].map(each => each[0])).size +
  Object.keys(hosts).length
