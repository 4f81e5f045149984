import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Child, startChild } from '../../../test/harness/child.ts'
import { withClient } from '../../../test/harness/client.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { processesAreVisible, processesNaming, serversBelow } from '../../../test/harness/processes.ts'
import { fastSettings } from '../../../test/harness/server.ts'
import { type EmbeddedServer, startEmbedded } from './index.ts'
import { chooseServerUser } from './server-user.ts'

const settings = fastSettings
type Address = Pick<EmbeddedServer, 'host' | 'port' | 'user' | 'database'>

describe.skipIf(!processesAreVisible)('when the program is killed with -9', () => {
  let directory: TestDirectory
  let program: Child<Address>

  const startProgram = () => startChild<Address>('run-embedded-server.ts', directory.path)
  const start = () => startEmbedded({ dataDirectory: directory.path, settings })

  beforeEach(async () => {
    directory = await createTestDirectory()
    program = startProgram()
  })
  afterEach(async () => {
    await program.kill()
    await eventually('the server ends', async () => (await serversBelow(directory.path)).length === 0)
    await directory.remove()
  })

  test('its server stops, the next start works at once, and committed data is safe', async () => {
    const address = await program.hello
    await withClient(address, client => client.query('create table kept as select 42 as answer'))
    await program.kill()
    const server = await start() // while the old server is stopping
    const { rows } = await withClient(server, client => client.query('select answer from kept'))
    await server.stop()
    expect(rows).toEqual([{ answer: 42 }])
  })

  test('its server stops by itself, without another start', async () => {
    await program.hello
    await program.kill()
    await eventually('the server ends', async () => (await serversBelow(directory.path)).length === 0)
  })

  test('during the creation of the database, the next start creates it', async () => {
    await eventually('initdb runs', async () =>
      (await readdir(directory.path)).some(name => name.includes('partial')),
    )
    await program.kill()
    const server = await start()
    const { rowCount } = await withClient(server, client => client.query('select from pg_database'))
    await server.stop()
    expect(rowCount).toBe(4)
  })

  test('a server that survived without its supervisor is stopped by the next start', async () => {
    const address = await program.hello
    await withClient(address, client => client.query('create table kept as select 42 as answer'))
    const supervisors: number[] = []
    for (const pid of await processesNaming(`${directory.path}/`)) {
      const isSupervisor = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).startsWith(
        '/bin/sh',
      )
      if (isSupervisor) supervisors.push(pid)
    }
    // Stopped first: a shell that sees the other one die would stop the server.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
      for (const pid of supervisors) process.kill(pid, signal)
    await program.kill()
    expect(await serversBelow(directory.path)).not.toEqual([])
    const server = await start()
    const { rows } = await withClient(server, client => client.query('select answer from kept'))
    await server.stop()
    expect(rows).toEqual([{ answer: 42 }])
  })

  test('a lock file whose process id was reused does not block the start', async () => {
    const { host } = await program.hello
    const lock = await readFile(join(directory.path, 'postgres', 'postmaster.pid'), 'utf8')
    await program.kill()
    await eventually('the server ends', async () => (await serversBelow(directory.path)).length === 0)
    const { ids } = await chooseServerUser(null)
    const stranger = spawn('sleep', ['60'], { ...ids, cwd: '/', stdio: 'ignore' })
    try {
      const stale = lock.replace(/^\d+/, String(stranger.pid))
      await writeFile(join(directory.path, 'postgres', 'postmaster.pid'), stale)
      await mkdir(host, { recursive: true })
      await writeFile(join(host, '.s.PGSQL.5432.lock'), stale)
      const server = await start()
      await server.stop()
    } finally {
      stranger.kill('SIGKILL')
    }
    expect(existsSync(join(directory.path, 'postgres', 'postmaster.pid'))).toBe(false)
  })
})

test.skipIf(!processesAreVisible)('a server that ends unexpectedly is reported', async () => {
  const directory = await createTestDirectory()
  try {
    const server = await startEmbedded({ dataDirectory: directory.path, settings })
    const lock = await readFile(join(directory.path, 'postgres', 'postmaster.pid'), 'utf8')
    process.kill(Number.parseInt(lock, 10), 'SIGTERM')
    expect((await server.unexpectedEnd).message).toMatch(/ended unexpectedly .*smart shutdown request/s)
    await server.stop()
  } finally {
    await directory.remove()
  }
})
