import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * The faults of one request. `drop` loses the request, `lose` its answer. `cut` sends half of the answer,
 * `stall` none, and `double` sends it twice. `busy` answers 503 before the service, and `garble` a page of
 * another program.
 */
export type Fault = 'none' | 'drop' | 'lose' | 'cut' | 'stall' | 'double' | 'busy' | 'garble'

export type FaultyProxy = {
  url: string
  /** All requests so far, with their retries. */
  seen: { method: string; url: string; headers: IncomingMessage['headers'] }[]
  /** Sets the faults of the next requests in order. Later requests have none. */
  next(...faults: Fault[]): void
  /**
   * A function that the proxy calls before it answers a request. Its argument is the request's number from
   * 1.
   */
  onAnswer: ((number: number) => void | Promise<void>) | null
  close(): Promise<void>
}

/** Starts a proxy on loopback before a service. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let faults: Fault[] = []
  const proxy: FaultyProxy = {
    url: '',
    seen: [],
    next: (...planned) => {
      faults = planned
    },
    onAnswer: null,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    proxy.seen.push({ method, url, headers })
    const number = proxy.seen.length
    const body = await buffer(request)
    const forward = () => sendOn(`${target}${url}`, method, headers, body)
    await answer(faults.shift() ?? 'none', forward, response, () => proxy.onAnswer?.(number)).catch(() =>
      response.destroy(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

type Answer = { status: number; headers: [string, string][]; body: Buffer }

async function sendOn(
  url: string,
  method: string,
  { host: _host, connection: _connection, 'content-length': _length, ...headers }: IncomingMessage['headers'],
  body: Buffer,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: headers as Record<string, string>,
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  })
  const unencoded = [...response.headers].filter(
    ([name]) => !['content-encoding', 'content-length', 'transfer-encoding', 'connection'].includes(name),
  )
  return { status: response.status, headers: unencoded, body: Buffer.from(await response.arrayBuffer()) }
}

async function answer(
  fault: Fault,
  forward: () => Promise<Answer>,
  response: ServerResponse,
  beforeAnswer: () => void | Promise<void>,
): Promise<void> {
  if (fault === 'drop') return void response.destroy()
  if (fault === 'busy') return void response.writeHead(503, { 'retry-after': '0' }).end('{}')
  if (fault === 'garble') return void response.writeHead(200).end('<html>Welcome to the hotel network</html>')
  const { status, headers, body } = await (fault === 'double' ? forward().then(forward) : forward())
  await beforeAnswer()
  if (fault === 'lose') return void response.destroy()
  // The connection stays open until the client closes it.
  if (fault === 'stall') return
  response.writeHead(status, [...headers, ['content-length', String(body.length)]].flat())
  if (fault !== 'cut') return void response.end(body)
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}
