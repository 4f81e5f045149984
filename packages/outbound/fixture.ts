/** Starts a server for tests on 127.0.0.1, with configured responses, which records its requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

import type { NetworkSettings } from './network-settings.ts'

/** Returns default settings that allow these hosts, as `host:port`. */
export function networkAllowing(...allowedHosts: string[]): NetworkSettings {
  return { allowedHosts, dnsServers: [], caFile: null, connectTo: [], proxy: null }
}

/** `body` is empty without a POST. */
type ReceivedRequest = { path: string; headers: IncomingHttpHeaders; body: string }
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void

export type TestServer = {
  url: string
  host: string
  port: number
  requests: ReceivedRequest[]
  /** Sets the response of a path. Other paths respond 404. */
  answer(path: string, answer: Answer): void
  close(): Promise<void>
}

export async function startTestServer(): Promise<TestServer> {
  const answers = new Map<string, Answer>()
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const { url: path = '', headers, method } = incoming
    const body = method === 'POST' ? Buffer.concat(await Array.fromAsync(incoming)).toString() : ''
    const request = { path, headers, body }
    requests.push(request)
    const answer = answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    requests,
    answer: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Serves a file with validators. A matching conditional request gets 304. */
export function fileAnswer(content: string, etag: string): Answer {
  return (response, { headers }) => {
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else
      response
        .writeHead(200, {
          etag,
          'last-modified': 'Mon, 05 Jan 2026 00:00:00 GMT',
          'content-type': 'text/plain',
        })
        .end(content)
  }
}
