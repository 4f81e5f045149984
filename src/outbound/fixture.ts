/** A foreign server for tests: on 127.0.0.1, with configured responses, recording its requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

import type { NetworkSettings } from '../core/network-settings.ts'

/** Default settings that allow these hosts, as `host:port`. */
export function networkAllowing(...allowedHosts: string[]): NetworkSettings {
  return { allowedHosts, dnsServers: [], caFile: null, connectTo: [], proxy: null }
}

type ReceivedRequest = { path: string; headers: IncomingHttpHeaders }
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void

export type TestServer = {
  url: string
  host: string
  port: number
  requests: ReceivedRequest[]
  /** Sets the response of a path; other paths respond 404. */
  answer(path: string, answer: Answer): void
  close(): Promise<void>
}

export async function startTestServer(): Promise<TestServer> {
  const answers = new Map<string, Answer>()
  const requests: ReceivedRequest[] = []
  const server = createServer(({ url: path = '', headers }, response) => {
    const request = { path, headers }
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

/** Serves a file with validators; a matching conditional request gets 304. */
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
