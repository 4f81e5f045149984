/** Serves pages on loopback, and opens a proxy that leads every host to them. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { findChromium } from './chromium-process.ts'
import { openRenderer, type Renderer, type RendererSettings } from './open-renderer.ts'
import type { ProxyForVisit, RenderRequest } from './rendering.ts'

/** Is false where no test can render. The tests then say so. */
export const hasChromium = findChromium(null) !== null
if (!hasChromium)
  console.log('Tests of the renderer are skipped: Chromium is missing (apt-get install chromium).')

export type Pages = AsyncDisposable & {
  requests: string[]
  openProxy(limits: { bytesMax: number }): Promise<ProxyForVisit>
}

/** `answers` has the HTML or the listener of each URL. Other URLs answer 404. */
export async function servePages(answers: Record<string, string | RequestListener>): Promise<Pages> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    // A request to a proxy has the whole URL.
    const url = request.url ?? ''
    requests.push(url)
    const answer = answers[url]
    if (typeof answer === 'function') answer(request, response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer)
  })
  const port = await listening(server)
  return {
    requests,
    openProxy: ({ bytesMax }) => openTestProxy(port, bytesMax),
    [Symbol.asyncDispose]: () => closing(server),
  }
}

/** Passes on all bytes. The pages' server also understands requests to a proxy. */
async function openTestProxy(pagesPort: number, bytesMax: number): Promise<ProxyForVisit> {
  let bytes = 0
  const { createServer: createPipe } = await import('node:net')
  const sockets = new Set<{ destroy(): void }>()
  const proxy = createPipe(socket => {
    const remote = connect(pagesPort, '127.0.0.1')
    for (const each of [socket, remote]) {
      sockets.add(each)
      each.on('error', () => each.destroy())
    }
    remote.on('data', piece => {
      bytes += piece.length
      if (bytes >= bytesMax) for (const each of sockets) each.destroy()
    })
    socket.pipe(remote).pipe(socket)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as { port: number }).port,
    isUsedUp: () => bytes >= bytesMax,
    failureOf: () => null,
    [Symbol.asyncDispose]: () => {
      for (const each of sockets) each.destroy()
      return new Promise(resolve => void proxy.close(() => resolve()))
    },
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

function closing(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export function testRenderer(pages: Pages, settings: Partial<RendererSettings> = {}): Renderer {
  return openRenderer({
    isOn: true,
    chromiumPath: null,
    hasSandbox: true,
    rendersAtOnce: 2,
    userAgentSuffix: 'Test/1.0',
    openProxy: pages.openProxy,
    ...settings,
  })
}

export const visitOf = (url: string, request: Partial<RenderRequest> = {}): RenderRequest => ({
  url,
  lane: 'check',
  ...request,
  budget: { ms: 20_000, bytes: 15_000_000, requests: 60, waitMs: 20_000, ...request.budget },
})
