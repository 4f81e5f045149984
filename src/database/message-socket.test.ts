import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBlankDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { messageSocket } from './message-socket.ts'
import { openPool } from './open.ts'

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  // Around the buffer of 64 KB, and beyond what is kept of one.
  fc.integer({ min: 65_520, max: 65_545 }).map(bytes => new Uint8Array(bytes).fill(7)),
  fc.constant(new Uint8Array(1_200_000).fill(9)),
)
const pieces = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 8 })

function messageOf(content: Uint8Array): Buffer {
  const header = Buffer.from('D----')
  header.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([header, content])
}

function endsOf(parts: readonly Buffer[]): number[] {
  let at = 0
  return parts.map(part => {
    at += part.length
    return at
  })
}

/** Sends bytes in pieces of these lengths, again and again. */
async function send(bytes: Buffer, lengths: number[], to: Socket): Promise<void> {
  let at = 0
  for (let piece = 0; at < bytes.length; piece += 1) {
    const end = at + (lengths[piece % lengths.length] as number)
    await new Promise(sent => to.write(bytes.subarray(at, end), sent))
    at = end
  }
  to.end()
}

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createBlankDatabase()
  pool = openPool(database.connection, 'public', { connectionsMax: 2 })
})

afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('however the bytes of a server are cut, the driver is handed whole messages, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contents, { minLength: 1, maxLength: 6 }), pieces, async (bodies, lengths) => {
      const messages = bodies.map(messageOf)
      const server = createServer(socket => void send(Buffer.concat(messages), lengths, socket))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = messageSocket()
      const got: Buffer[] = []
      // The buffer is the socket's own, and used again.
      socket.on('data', (bytes: Buffer) => got.push(Buffer.from(bytes)))
      socket.connect((server.address() as { port: number }).port, '127.0.0.1')
      await once(socket, 'close')
      server.close()
      expect(Buffer.concat(got).equals(Buffer.concat(messages))).toBe(true)
      const ends = endsOf(messages)
      expect(endsOf(got).filter(end => !ends.includes(end))).toEqual([])
    }),
    { numRuns: 30 },
  )
})

test('long and short answers come whole, one after the other on the same connections', async () => {
  const lengths = [3_000_000, 1, 65_530, 200_000, 0, 5, 131_072]
  const read = async (length: number) => {
    const { rows } = await pool.query(`select repeat('ґ', $1) as long, n from generate_series(1, 3) as n`, [
      length,
    ])
    return rows as { long: string; n: number }[]
  }
  const answers = await Promise.all([...lengths, ...lengths.toReversed()].map(read))
  for (const [at, length] of [...lengths, ...lengths.toReversed()].entries()) {
    expect(answers[at]).toEqual([1, 2, 3].map(n => ({ long: 'ґ'.repeat(length), n })))
  }
})
