import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../test/harness/service.ts'

const requestMsMax = 300
/** These requests need more space than the buffers of both ends have. */
const question = 'GET /openapi.json HTTP/1.1\r\nHost: baize.test\r\n\r\n'.repeat(40)
const head = 'POST /v1/exports HTTP/1.1\r\nHost: baize.test\r\nContent-Type: application/json\r\n'

let service: TestService
beforeAll(async () => {
  service = await startService({ silenceMsMax: 1_000, requestMsMax })
})
afterAll(() => service.close())

type Opened = { client: Socket; connection: Socket }

async function open(first: string): Promise<Opened> {
  const connected = once(service.server.server, 'connection') as Promise<[Socket]>
  const client = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {})
  client.write(first)
  const [connection] = await connected
  return { client, connection }
}

test('the connection of a client that does not read its answers is closed', async () => {
  const { client, connection } = await open(question)
  try {
    await once(connection, 'close')
    expect(connection.bytesWritten).toBeLessThan(40 * 500_000)
  } finally {
    client.destroy()
  }
})

test('a connection whose headers or body arrive byte by byte is closed after the limit', async () => {
  const began = performance.now()
  const headers = await open(`${head}X-Slow: `)
  const body = await open(`${head}Content-Length: 60000\r\n\r\n{`)
  const answers = await Promise.all([dripUntilClosed(headers), dripUntilClosed(body)])
  expect(performance.now() - began).toBeGreaterThanOrEqual(requestMsMax)
  for (const answer of answers)
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*not complete; send a whole request within 0\.3 seconds/s)
})

/** Continues to send after the answer, as a malicious client does. */
async function dripUntilClosed({ client, connection }: Opened): Promise<string> {
  const answer: Buffer[] = []
  client.on('data', chunk => answer.push(chunk))
  const drip = setInterval(() => client.writable && client.write('x'), 20)
  try {
    await once(connection, 'close')
    return Buffer.concat(answer).toString()
  } finally {
    clearInterval(drip)
    client.destroy()
  }
}
