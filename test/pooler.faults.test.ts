import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { chooseServerUser } from '@baize/embedded-postgres/server-user'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { importFiles } from '../src/dataset/index.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { preparePartitions } from '../src/instance/index.ts'
import { runCommandHere } from './harness/command.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { demoFiles } from './harness/import-demo.ts'
import { openApi } from './harness/open-api.ts'
import { freePort } from './harness/program.ts'

// Tests a service behind PgBouncer, where it is installed.

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0

const refusal =
  'DATABASE_URL leads to a pooler that changes the session between transactions: set its pool_mode to ' +
  'session, or connect to PostgreSQL itself'

describe.skipIf(!isInstalled)('PgBouncer (skipped where pgbouncer is not installed)', () => {
  let database: TestDatabase
  let directory: TestDirectory
  const running: ChildProcess[] = []

  beforeAll(async () => {
    database = await createTestDatabase()
    directory = await createTestDirectory()
  })
  afterAll(async () => {
    for (const each of running) each.kill('SIGKILL')
    await directory.remove()
    await database.drop()
  })

  async function urlBehind(mode: 'session' | 'transaction', more = ''): Promise<string> {
    const { host, port: serverPort, user, database: name } = database.connection
    const port = await freePort()
    const file = join(directory.path, `${port}.ini`)
    await writeFile(
      file,
      `[databases]
${name} = host=${host} port=${serverPort} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${more}
`,
    )
    const { ids } = await chooseServerUser(null)
    running.push(spawn('pgbouncer', [file], { stdio: 'ignore', ...ids }))
    await eventually('it listens', async () => {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      return once(socket, 'connect').catch(() => null)
    })
    return `postgresql://${user}@127.0.0.1:${port}/${name}`
  }

  test.each([
    ['refuses startup options', ''],
    ['drops startup options', 'ignore_startup_parameters = options'],
  ])('in session mode each world reads its own schema, where the pooler %s', async (_, more) => {
    const { service, address, close } = await openApi(await urlBehind('session', more))
    onTestFinished(close)
    const { live, demo, files } = service
    await preparePartitions(live.database, new Date())
    await importFiles(live, await demoFiles(), { mode: 'strict', files })
    const account = await createAccount(live, { name: 'P', plan: 'growth', creditsGranted: 100 })
    const { api_key: key } = await createKey(live, account.account_ref)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const answer = await fetch(`${address}/v1/domains/resolve?domain=luckyotter.example`, {
      headers: { 'x-api-key': key },
    })
    expect(await answer.json()).toMatchObject({ data: { verdict: 'licensed' } })
    // The schema of the demo is empty here, and a lost search path would lead to the customers' schema.
    expect(await demo.database.selectFrom('domains').select('domain').execute()).toEqual([])
  })

  test.each([
    ['refuses startup options', ''],
    ['drops startup options', 'ignore_startup_parameters = options'],
  ])('transaction mode is named with the cure by each command and by /readyz: it %s', async (_, more) => {
    const url = await urlBehind('transaction', more)
    const { code, stderr } = await runCommandHere(['verify'], { DATABASE_URL: url })
    expect([code, stderr]).toEqual([1, `${refusal}.\n`])
    const { address, close } = await openApi(url)
    onTestFinished(close)
    const ready = await fetch(`${address}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not_ready', reason: refusal }])
  })
})
