/** A server of a stranger, as tests make one: on 127.0.0.1, saying what it is told to, remembering what it was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export type Asked = { path: string; headers: IncomingHttpHeaders }
export type Answer = (response: ServerResponse, asked: Asked) => void

export type TestServer = {
  url: string
  /** As OUTBOUND_ALLOW_HOSTS names it. */
  host: string
  port: number
  asked: Asked[]
  /** What a path answers from now on; paths without an answer are 404. */
  answer(path: string, answer: Answer): void
  close(): Promise<void>
}

export async function startTestServer(): Promise<TestServer> {
  const answers = new Map<string, Answer>()
  const asked: Asked[] = []
  const server = createServer(({ url: path = '', headers }, response) => {
    const request = { path, headers }
    asked.push(request)
    const answer = answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })
  await new Promise<void>(settle => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    asked,
    answer: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise(settle => {
        server.close(() => settle())
        server.closeAllConnections()
      }),
  }
}

/** A file with its validators: an exact repetition of the question is answered with 304. */
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
