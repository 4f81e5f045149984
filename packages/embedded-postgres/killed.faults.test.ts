import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Child, startChild } from '../../test/harness/child.ts'
import { withClient } from '../../test/harness/client.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { processesAreVisible, processesNaming, serversBelow } from '../../test/harness/processes.ts'
import { fastSettings } from '../../test/harness/server.ts'
import { type EmbeddedServer, startEmbedded } from './index.ts'
import { chooseServerUser } from './server-user.ts'

const settings = fastSettings
type Address = Pick<EmbeddedServer, 'host' | 'port' | 'user' | 'database'>

describe.skipIf(!processesAreVisible)('the embedded server after kill -9 of its program', () => {
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

  test('a start after kill -9 succeeds at once, and committed data is safe', async () => {
    const address = await program.hello
    await withClient(address, client => client.query('create table kept as select 42 as answer'))
    await program.kill()
    const server = await start() // The old server is still stopping at this point.
    const { rows } = await withClient(server, client => client.query('select answer from kept'))
    await server.stop()
    expect(rows).toEqual([{ answer: 42 }])
  })

  test('the database server stops by itself after kill -9, without another start', async () => {
    await program.hello
    await program.kill()
    await eventually('the server ends', async () => (await serversBelow(directory.path)).length === 0)
  })

  test('after kill -9 during the creation of the database, the next start creates it', async () => {
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
    // SIGSTOP comes first, because a shell that sees the other process end would stop the server.
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

describe.skipIf(!processesAreVisible)('a server that is started again', () => {
  let directory: TestDirectory
  let server: EmbeddedServer | null = null

  beforeEach(async () => {
    directory = await createTestDirectory()
  })
  afterEach(async () => {
    await server?.stop()
    await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
    await directory.remove()
  })

  const lockFile = () => join(directory.path, 'postgres', 'postmaster.pid')
  const postmaster = async () => Number.parseInt(await readFile(lockFile(), 'utf8').catch(() => ''), 10)
  const kill = async () => process.kill(await postmaster(), 'SIGKILL')
  async function start(max: number, warn: (line: string) => void = () => {}): Promise<EmbeddedServer> {
    server = await startEmbedded({
      dataDirectory: directory.path,
      // With another setting, a commit may be only in the memory of the killed server.
      settings: { ...settings, synchronous_commit: 'on' },
      restarts: { max, withinMs: 60_000 },
      warn,
    })
    return server
  }
  const answers = (address: EmbeddedServer) =>
    withClient(address, client => client.query('select 1')).then(
      () => true,
      () => false,
    )

  test('a killed server is started again with its address and data, up to the allowed number', async () => {
    const warnings: string[] = []
    const address = await start(2, line => void warnings.push(line))
    await withClient(address, client => client.query('create table kept as select 42 as answer'))
    for (const restarts of [1, 2]) {
      await kill()
      await eventually(
        'it runs again',
        () => warnings.filter(line => /runs again/.test(line)).length === restarts,
      )
      const { rows } = await withClient(address, client => client.query('select answer from kept'))
      expect(rows).toEqual([{ answer: 42 }])
    }
    expect(warnings[0]).toMatch(/ended unexpectedly .*Starting it again in \d+ ms \(1 of 2\)$/s)
    await kill()
    expect((await address.unexpectedEnd).message).toMatch(
      /ended unexpectedly .* It was started again 2 times within 60 seconds\.$/s,
    )
    expect(await answers(address)).toBe(false)
  })

  test('a restart also ends old server processes that survived the kill during a busy query', async () => {
    const address = await start(5)
    const busy = withClient(address, client =>
      client.query('do $$ begin for n in 1..2000000000 loop end loop; end $$'),
    ).catch(() => {})
    const running = await eventually('the query runs', async () => {
      const pids = await withClient(address, client =>
        client.query(`select pid from pg_stat_activity where state = 'active' and query like 'do %'`),
      )
      return pids.rows[0]?.pid as number | undefined
    })
    await kill()
    await eventually('it answers again', () => answers(address))
    await busy
    expect(await serversBelow(directory.path)).not.toContain(running)
  })

  test('a server can be stopped while it is being started again', async () => {
    const warned = Promise.withResolvers<void>()
    const address = await start(5, () => warned.resolve())
    await kill()
    await warned.promise
    await address.stop()
    expect(await answers(address)).toBe(false)
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
