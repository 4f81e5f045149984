import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createBlankDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { isConnectionLoss } from './errors.ts'
import { messageSocket } from './message-socket.ts'
import { openPool } from './pool.ts'

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  // These lengths are around the buffer of 64 KB, and beyond the largest buffer that is reused.
  fc.integer({ min: 65_520, max: 65_545 }).map(bytes => new Uint8Array(bytes).fill(7)),
  fc.constant(new Uint8Array(1_200_000).fill(9)),
)
const pieces = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 8 })

function messageOf(content: Uint8Array): Buffer {
  const header = Buffer.from('D----')
  header.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([header, content])
}

/** The first message of a server that requires no password. */
const authenticated = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0])

/** Makes a MySQL greeting. Its first byte is its length, so it may look like any letter of PostgreSQL's. */
const mysqlGreeting = (letter: string) =>
  Buffer.concat([
    Buffer.from([letter.charCodeAt(0), 0, 0, 0, 0x0a]),
    Buffer.from('8.0.36\0'),
    Buffer.alloc(80),
  ])

function endsOf(parts: readonly Buffer[]): number[] {
  let at = 0
  return parts.map(part => {
    at += part.length
    return at
  })
}

async function send(bytes: Buffer, lengths: number[], to: Socket): Promise<void> {
  let at = 0
  for (let piece = 0; at < bytes.length; piece += 1) {
    const end = at + (lengths[piece % lengths.length] as number)
    await new Promise(sent => to.write(bytes.subarray(at, end), sent))
    at = end
  }
  to.end()
}

async function speaker(words: string | Buffer): Promise<{ port: number; close(): void }> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    socket.write(words)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as { port: number }).port, close }
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

test('the driver receives whole messages in order, however the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contents, { minLength: 1, maxLength: 6 }), pieces, async (bodies, lengths) => {
      const messages = [authenticated, ...bodies.map(messageOf)]
      const server = createServer(socket => void send(Buffer.concat(messages), lengths, socket))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = messageSocket()
      const got: Buffer[] = []
      // The bytes are copied, because the socket reuses its buffer.
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

test('long and short results arrive whole on the same connections', async () => {
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

test.each([
  ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['a login', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['nothing but noughts', Buffer.alloc(100)],
  ['the longest length that can be written', Buffer.from('R\xff\xff\xff\xff', 'latin1')],
  ['Redis', "-ERR unknown command '\\x00'\r\n"],
  ['MariaDB', mysqlGreeting('d')],
  ['a MySQL whose greeting looks as if it were ready', mysqlGreeting('Z')],
  ['a MySQL whose greeting looks like an authentication', mysqlGreeting('R')],
  ['a MySQL whose greeting looks like an error', mysqlGreeting('E')],
])('a server that is not PostgreSQL is reported at once: %s', async (_, words) => {
  const { port, close } = await speaker(words)
  const elsewhere = openPool({ host: '127.0.0.1', port, user: 'anyone', database: 'any' }, 'public')
  const before = process.memoryUsage().arrayBuffers
  const refused = await elsewhere.query('select 1').catch((error: unknown) => error)
  expect(refused).toMatchObject({ message: 'the server at this address is not PostgreSQL' })
  expect(isConnectionLoss(refused)).toBe(true)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000)
  await elsewhere.end()
  close()
})

test('a greeting that reads as a message length of 1 GB does not allocate 1 GB', async () => {
  const { port, close } = await speaker('R20 mail.example ESMTP\r\n')
  const before = process.memoryUsage().arrayBuffers
  const socket = messageSocket()
  socket.on('data', () => {})
  socket.connect(port, '127.0.0.1')
  await vi.waitUntil(() => socket.bytesRead > 0)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32_000_000)
  socket.destroy()
  close()
})

test('the buffer of a long value is released before the next short one', async () => {
  const rooms: number[] = []
  const stream = messageSocket()
  stream.on('data', (bytes: Buffer) => rooms.push(bytes.buffer.byteLength))
  const client = new pg.Client({ ...database.connection, stream: () => stream })
  await client.connect()
  const { rows } = await client.query(`select 'a' || repeat('x', 40000000) || 'z' as long`)
  expect(rows[0].long).toBe(`a${'x'.repeat(40_000_000)}z`)
  expect(Math.max(...rooms)).toBeGreaterThan(40_000_000)
  await client.query('select 1')
  expect(rooms.at(-1)).toBe(64 * 1024)
  await client.end()
})

test('an interrupted result fails, and the next query uses another connection', async () => {
  const broken = pool.query(`
    select case n when 3000 then pg_terminate_backend(pg_backend_pid())::text else repeat('x', 30000) end
      from generate_series(1, 5000) as n`)
  await expect(broken).rejects.toSatisfy(isConnectionLoss)
  const { rows } = await pool.query(`select repeat('y', 100000) as whole`)
  expect(rows).toEqual([{ whole: 'y'.repeat(100_000) }])
})

test('notices and notifications between rows arrive whole, and so do the rows', async () => {
  const client = await pool.connect()
  const heard: (string | undefined)[] = []
  const hear = ({ message, payload }: { message?: string | undefined; payload?: string | undefined }) =>
    void heard.push(message ?? payload)
  client.on('notice', hear).on('notification', hear)
  await client.query(`
    listen pages;
    create function pg_temp.row_of(n int) returns text language plpgsql as $$
    begin
      raise notice '%', repeat('n', 7000 + n);
      perform pg_notify('pages', repeat('p', 7900) || n);
      return repeat('r', 300 * n);
    end $$`)
  const { rows } = await client.query('select pg_temp.row_of(n) as text from generate_series(1, 200) as n')
  const numbers = Array.from({ length: 200 }, (_, at) => at + 1)
  expect(rows).toEqual(numbers.map(n => ({ text: 'r'.repeat(300 * n) })))
  await vi.waitUntil(() => heard.length >= 400)
  expect(heard.slice(0, 200)).toEqual(numbers.map(n => 'n'.repeat(7_000 + n)))
  expect(heard.slice(200)).toEqual(numbers.map(n => 'p'.repeat(7_900) + n))
  client.release(true)
})
