import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { runCommandHere } from '../../test/harness/command.ts'
import { createBlankDatabase, createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { freePort, runProgram } from '../../test/harness/program.ts'

let database: TestDatabase
let directory: TestDirectory
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await createTestDirectory()
  await withClient(database.connection, client =>
    client.query(`update applied_migrations set sha256 = 'another' where name = '0001_baseline_0.1.0'`),
  )
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

test('after a migration was edited, commands and the service fail and name the file', async () => {
  const environment = { DATA_DIR: directory.path, DATABASE_URL: database.url, PORT: String(await freePort()) }
  const refused = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^0001_baseline_0\.1\.0\.sql was edited after it had run .* Restore the file, .*\n$/,
    ),
  }
  expect(await runCommandHere(['verify'], environment)).toEqual(refused)
  expect(await runProgram('serve', [], environment)).toEqual(refused)
})

test('a database from before release 0.1.0 is refused in one line', async () => {
  const old = await createBlankDatabase()
  try {
    await withClient(old.connection, client => client.query('create table accounts (id int)'))
    const environment = { DATA_DIR: directory.path, DATABASE_URL: old.url, PORT: String(await freePort()) }
    const refused = {
      code: 1,
      stdout: '',
      stderr:
        'The database was created before release 0.1.0 and cannot be opened; nothing was changed. ' +
        'Use a new DATA_DIR, or an empty database in DATABASE_URL.\n',
    }
    expect(await runCommandHere(['verify'], environment)).toEqual(refused)
    expect(await runProgram('serve', [], environment)).toEqual(refused)
  } finally {
    await old.drop()
  }
})

test('a PostgreSQL that is too old is refused with the version that is needed', async () => {
  const old = await createTestDatabase()
  const name = String(old.connection.database)
  try {
    await withClient(old.connection, client =>
      client.query(`
        create schema old;
        create function old.current_setting(text) returns text language sql as $$ select '140011' $$;
        alter database ${name} set search_path = old, pg_catalog`),
    )
    const environment = { DATA_DIR: directory.path, DATABASE_URL: old.url }
    expect(await runCommandHere(['verify'], environment)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Baize needs PostgreSQL 15 or newer; the server of DATABASE_URL is 14.\n',
    })
  } finally {
    await old.drop()
  }
})

/** Starts a server that sends the next of `words` whenever bytes arrive. */
async function speaker(words: readonly Buffer[]): Promise<{ port: number; close(): void }> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    const left = [...words]
    socket.on('data', () => socket.write(left.shift() ?? ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as { port: number }).port, close }
}

function message(letter: string, content: Buffer): Buffer {
  const header = Buffer.from(`${letter}----`)
  header.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([header, content])
}

const failure = (code: string, text: string) => message('E', Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`))
const asksForScram = message('R', Buffer.from('\0\0\0\x0aSCRAM-SHA-256\0\0'))
const scramBegins = message('R', Buffer.from('\0\0\0\x0br=nonce,s=c2FsdA==,i=4096'))
const mariaDb = Buffer.concat([
  Buffer.from([0x64, 0, 0, 0, 0x0a]),
  Buffer.from('5.5.5-10.11.6-MariaDB\0'),
  Buffer.alloc(70),
])
const notPostgres =
  'The database does not answer (the server at this address is not PostgreSQL). ' +
  'Is the server of DATABASE_URL running?'

test.each([
  ['MariaDB', [mariaDb], '', notPostgres],
  ['Redis', [Buffer.from("-ERR unknown command '\\x00'\r\n")], '', notPostgres],
  [
    'a server that speaks no TLS of PostgreSQL',
    [mariaDb],
    '?sslmode=verify-full',
    'The database does not answer (There was an error establishing an SSL connection). ' +
      'Is the server of DATABASE_URL running?',
  ],
  [
    'a wrong password',
    [failure('28P01', 'password authentication failed for user "ada"')],
    '',
    'The database refused the connection: password authentication failed for user "ada".',
  ],
  [
    'a password that is missing',
    [asksForScram, scramBegins],
    '',
    'The database asks for a password. Add it to DATABASE_URL, or set PGPASSWORD.',
  ],
])('a DATABASE_URL that leads to %s is reported in one line', async (_, words, parameters, line) => {
  const { port, close } = await speaker(words)
  const environment = {
    DATA_DIR: directory.path,
    DATABASE_URL: `postgres://ada@127.0.0.1:${port}/customers${parameters}`,
  }
  expect(await runCommandHere(['account', 'show', 'acc_1'], environment)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${line}\n`,
  })
  close()
})
