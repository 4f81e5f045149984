import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startService } from '../../test/harness/service.ts'

/** More than the buffers of both ends take in together. */
const question = 'GET /openapi.json HTTP/1.1\r\nHost: baize.test\r\n\r\n'.repeat(40)

test('a client that reads nothing of its answers is hung up on', async () => {
  const service = await startService({ silenceMsMax: 200 })
  const client = connect(Number(new URL(service.url).port), '127.0.0.1')
  try {
    const connected = once(service.server.server, 'connection') as Promise<[Socket]>
    client.write(question)
    const [connection] = await connected
    await once(connection, 'close')
    expect(connection.bytesWritten).toBeLessThan(40 * 500_000)
  } finally {
    client.destroy()
    await service.close()
  }
})
