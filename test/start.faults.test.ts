import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer as createWebServer } from 'node:http'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRunning } from '@baize/data-directory'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectionTo } from '../src/instance/index.ts'
import { withClient } from './harness/client.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { serversBelow } from './harness/processes.ts'
import { freePort, type Instance, runProgram, startInstance, startProgram } from './harness/program.ts'

const hasSignals = process.platform !== 'win32'
const startWithinMs = 30_000

let directory: TestDirectory
let instance: Instance | null = null

beforeAll(async () => {
  directory = await createTestDirectory()
})
afterAll(async () => {
  await instance?.kill()
  await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
  await directory.remove()
})

const start = async () => {
  instance = await startInstance('start', { DATA_DIR: directory.path, LOG_LEVEL: 'warn' })
  const { stdout } = instance
  // The greeting's last line has two forms. It is printed after the service is ready.
  await eventually('the greeting', () => /key create \w+\n$|'\n$/.test(stdout()))
  return instance
}

const curls = (greeting: string) =>
  [...greeting.matchAll(/^ {2}curl -H 'X-API-Key: (\S+)' '(\S+)'$/gm)].map(([, key = '', url = '']) => ({
    key,
    url,
  }))

const get = (url: string, key: string) => fetch(url, { headers: { 'x-api-key': key } })

async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const running = await findRunning(directory.path)
  if (running === null) throw new Error('nothing runs there')
  return withClient(connectionTo(running.database), async client => (await client.query(sql)).rows)
}

const isGone = async () =>
  (await findRunning(directory.path)) === null && (await serversBelow(directory.path)).length === 0

describe('npm start (these tests run in order)', () => {
  let key = ''

  test('a first start prints its URL, a key, and curl commands that work as printed', async () => {
    const { url, stdout } = await start()
    expect(stdout()).toContain(`Baize serves ${url.replace('127.0.0.1', 'localhost')} `)
    expect(stdout()).toMatch(/^ +[\d.]+ s {2}PostgreSQL runs\.$/m)
    const lines = curls(stdout())
    expect(lines.map(line => line.key === 'client_demo')).toEqual([true, false, false])
    for (const line of lines) {
      const answer = await get(line.url, line.key)
      expect([line.url, answer.status]).toEqual([line.url, 200])
      expect(await answer.json()).toMatchObject({ success: true })
    }
    // Without DATA_DIR the commands in another shell would use another database.
    const [typed = ''] =
      /^ {2}(export DATA_DIR=|\$env:DATA_DIR = )'.+'\n {2}npm run baize -- import/m.exec(stdout()) ?? []
    expect(typed).toContain(directory.path)
    key = lines[1]?.key ?? ''
    expect(stdout()).toContain(`\n  ${key}\n`)
    const account = await (await get(`${url}/v1/account`, key)).json()
    expect(account).toMatchObject({ data: { plan: 'growth', credits_granted: 1_000, credits_used: 1 } })
    expect((await fetch(`${url}/docs`)).status).toBe(200)
  })

  test('a first start prints a link that signs in to the dashboard once', async () => {
    const { url, port, stdout } = instance as Instance
    const [link = ''] = /http:\/\/\S+\/sign-in\/[0-9A-Za-z]{43}$/m.exec(stdout()) ?? []
    // The link has a name, because browsers create no passkeys for an address.
    expect(link).toContain(`http://localhost:${port}/sign-in/`)
    const asked = { method: 'POST', redirect: 'manual', headers: { origin: new URL(link).origin } } as const
    const signedIn = await fetch(link, asked)
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/dashboard'])
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await fetch(`${url}/dashboard`, { headers: { cookie } })).status).toBe(200)
    expect((await fetch(link, asked)).status).toBe(404)
    expect(await rowsOf('select email, is_staff from users')).toEqual([
      { email: 'owner@localhost', is_staff: true },
    ])
  })

  test('a second start on the same directory exits with 1 and names the first process', async () => {
    const { url, port, pid } = instance as Instance
    const environment = { DATA_DIR: directory.path, PORT: String(await freePort()) }
    const { code, stdout, stderr } = await runProgram('start', [], environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `${directory.path} is in use by process ${pid}, which serves http://localhost:${port}. ` +
        'Stop that first, or set another DATA_DIR.\n',
    )
    expect((await get(`${url}/v1/account`, key)).status).toBe(200)
  })

  test.skipIf(!hasSignals)(
    'SIGTERM finishes a request that is being charged, then ends all processes with exit code 0',
    async () => {
      const { url, ended, signal, stderr } = instance as Instance
      const { database } = (await findRunning(directory.path)) ?? { database: { url: '' } }
      await withClient(connectionTo(database), async client => {
        await client.query('begin')
        await client.query('select from account_balances for update')
        const asked = get(`${url}/v1/domains/resolve?domain=inflight.example`, key)
        await eventually('the charge waits for the account', async () => {
          const waiting = await rowsOf(`select from pg_stat_activity where wait_event_type = 'Lock'`)
          return waiting.length > 0
        })
        signal('SIGTERM')
        await eventually('nobody new is let in', () =>
          fetch(`${url}/healthz`).then(
            () => false,
            () => true,
          ),
        )
        await client.query('rollback')
        const answer = await asked
        expect(answer.status).toBe(200)
        expect(await answer.json()).toMatchObject({ data: { domain: 'inflight.example' } })
      })
      expect({ code: (await ended).code, stderr: stderr() }).toEqual({ code: 0, stderr: '' })
      expect(await isGone()).toBe(true)
    },
  )

  test('a later start has the same data, keys and charges, and creates no second account', async () => {
    if (!hasSignals) await instance?.kill()
    const { url, stdout } = await start()
    expect(stdout()).not.toContain('first account')
    expect(stdout()).not.toContain('/sign-in/')
    expect(stdout()).toContain('npm run baize -- user link owner@localhost')
    const lines = curls(stdout())
    expect(lines.map(line => line.key)).toEqual(['client_demo'])
    for (const line of lines) expect((await get(line.url, line.key)).status).toBe(200)
    const account = await (await get(`${url}/v1/account`, key)).json()
    expect(account).toMatchObject({ data: { credits_used: hasSignals ? 2 : 1 } })
    expect(await rowsOf('select count(*)::int as accounts from accounts')).toEqual([{ accounts: 1 }])
  })

  test.skipIf(!hasSignals)(
    'SIGTERM under load cuts no answer short, and each charge is answered',
    async () => {
      const { url, ended, signal } = instance as Instance
      const before = await rowsOf('select used from account_balances')
      const kept = { answered: 0, refused: 0 }
      async function askUntilRefused(name: number) {
        for (let number = 0; ; number++) {
          const answer = await get(
            `${url}/v1/domains/resolve?domain=load-${name}-${number}.example`,
            key,
          ).catch(() => null)
          if (answer === null) return
          const body = await answer.text() // Reading fails if the answer is truncated.
          const { success, errors } = JSON.parse(body)
          if (success !== true) {
            expect([answer.status, errors?.code]).toEqual([503, 'service_unavailable'])
            expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
            kept.refused += 1
          } else kept.answered += 1
          if (kept.answered === 60) signal('SIGTERM')
          if (kept.answered > 400) throw new Error('SIGTERM was not heard')
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, name) => askUntilRefused(name)))
      expect((await ended).code).toBe(0)
      expect(await isGone()).toBe(true)
      await start()
      const [used] = await rowsOf('select used from account_balances')
      expect(Number(used?.used) - Number(before[0]?.used)).toBe(kept.answered)
    },
  )

  test.skipIf(!hasSignals)('a signal during a start stops all processes in order', async () => {
    instance?.signal('SIGTERM')
    await instance?.ended
    const environment = { DATA_DIR: directory.path, PORT: String(await freePort()), LOG_LEVEL: 'warn' }
    const program = startProgram('start', [], environment)
    await eventually('the start has begun', async () => (await serversBelow(directory.path)).length > 0)
    program.signal('SIGTERM')
    expect((await program.ended).code).toBe(0)
    expect(await isGone()).toBe(true)
  })

  test.skipIf(!hasSignals)(
    'the service stops in order when the shell of npm ends without passing on the signal',
    async () => {
      await instance?.kill()
      const port = await freePort()
      const script = fileURLToPath(new URL('../src/main/start.ts', import.meta.url))
      const shell = spawn('/bin/sh', ['-c', `'${process.execPath}' '${script}'; exit $?`], {
        env: {
          DATA_DIR: directory.path,
          PORT: String(port),
          LOG_LEVEL: 'warn',
          npm_lifecycle_event: 'start',
        },
        stdio: 'ignore',
      })
      const answers = () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          answer => answer.ok,
          () => false,
        )
      await eventually('it serves', answers, startWithinMs).finally(() => shell.kill('SIGTERM'))
      await eventually('it is gone, and its database', async () => !(await answers()) && (await isGone()))
    },
  )

  test('a first start on a used port leaves no folder', async () => {
    const holder = createServer()
    await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve))
    const { port } = holder.address() as { port: number }
    const folder = join(directory.path, 'never-used')
    try {
      const { code } = await runProgram('start', [], {
        DATA_DIR: folder,
        PORT: String(port),
        LOG_LEVEL: 'warn',
      })
      expect([code, existsSync(folder)]).toEqual([1, false])
    } finally {
      holder.close()
    }
  })

  test('a used port stops the start with one line, and leaves no process running', async () => {
    await instance?.kill()
    const holder = createServer()
    await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve))
    const { port } = holder.address() as { port: number }
    try {
      const environment = { DATA_DIR: directory.path, PORT: String(port), LOG_LEVEL: 'warn' }
      const { code, stderr } = await runProgram('start', [], environment)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          `PORT=${port} on HOST=127.0.0.1: another program uses this port. ` +
          'Stop it, or set PORT to another port.\n',
      })
      expect(await isGone()).toBe(true)
    } finally {
      holder.close()
    }
  })
})

test('a start off loopback prints no link, and warns of a plain http BASE_URL', async () => {
  const own = await createTestDirectory()
  const open = await startInstance('start', {
    DATA_DIR: own.path,
    HOST: '0.0.0.0',
    BASE_URL: 'http://baize.example',
    LOG_LEVEL: 'warn',
  })
  try {
    await eventually('the greeting', () => /'\n$/.test(open.stdout()))
    expect(open.stdout()).not.toContain('/sign-in/')
    expect(open.stdout()).toMatch(/\n {2}npm run baize -- user add acc_\w+ MAIL --role owner\n/)
    expect(open.stdout() + open.stderr()).toContain('BASE_URL is plain http')
  } finally {
    open.signal('SIGTERM')
    await open.ended
    await own.remove()
  }
})

describe('on a loaded machine', () => {
  test('the first paid request after /readyz 200 is answered 200 on a loaded machine', async () => {
    const own = await createTestDirectory()
    const busy = Array.from({ length: 2 * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    )
    let firstKey = ''
    try {
      for (let round = 0; round < 5; round += 1) {
        const each = await startInstance('start', { DATA_DIR: own.path, LOG_LEVEL: 'warn' })
        firstKey ||= await eventually(
          'the key',
          () => each.stdout().match(/client_[0-9A-Za-z]{38}/)?.[0] ?? '',
        )
        const answer = await get(`${each.url}/v1/domains/resolve?domain=first-${round}.example`, firstKey)
        expect([round, answer.status, await answer.text()]).toEqual([round, 200, expect.any(String)])
        each.signal('SIGTERM')
        await each.ended
      }
    } finally {
      for (const each of busy) each.kill('SIGKILL')
      await eventually('no server is left', async () => (await serversBelow(own.path)).length === 0)
      await own.remove()
    }
  })
})

describe('invalid settings', () => {
  let empty: TestDirectory
  beforeAll(async () => {
    empty = await createTestDirectory()
  })
  afterAll(() => empty.remove())
  afterEach(async () => {
    expect(await readdir(empty.path)).toEqual([])
  })

  const wrong = { PORT: 'abc', LOG_LEVEL: 'loud', THROTTLE_PER_MINUTE: '-1', DATABASE_URL: 'mysql://x' }

  test('an invalid setting stops the start with one line before anything is created', async () => {
    const runs = Object.entries(wrong).map(async ([name, value]) => {
      const { code, stdout, stderr } = await runProgram('start', [], {
        DATA_DIR: join(empty.path, 'var'),
        [name]: value,
      })
      expect({ name, code, stdout }).toEqual({ name, code: 1, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^${name}=\\S+ is invalid: it must be .+\\.\n$`))
    })
    await Promise.all(runs)
  })
})

describe('failed starts', () => {
  let empty: TestDirectory
  beforeAll(async () => {
    empty = await createTestDirectory()
  })
  afterAll(() => empty.remove())

  test('a start with a database that does not answer fails with one line', async () => {
    const silent = createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    try {
      const { code, stdout, stderr } = await runProgram('serve', [], {
        DATA_DIR: empty.path,
        DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nowhere`,
      })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(
        /^The database does not answer \(.+\)\. Is the server of DATABASE_URL running\?\n$/,
      )
    } finally {
      silent.close()
    }
  })

  test('a start with another server at the port of the database fails with one line', async () => {
    const web = createWebServer()
    await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
    const { port } = web.address() as { port: number }
    try {
      const { code, stdout, stderr } = await runProgram('serve', [], {
        DATA_DIR: empty.path,
        DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nowhere`,
      })
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'The database does not answer (the server at this address is not PostgreSQL). ' +
          'Is the server of DATABASE_URL running?\n',
      })
    } finally {
      web.close()
    }
  })

  test('a start with a HOST that has no address fails with one line', async () => {
    const { code, stderr } = await runProgram('start', [], {
      DATA_DIR: join(empty.path, 'var'),
      HOST: 'nohost.invalid',
      LOG_LEVEL: 'warn',
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^HOST=nohost\.invalid: the name has no address \(\w+\)\.\n$/),
    })
  })
})

describe.skipIf(!existsSync('/proc/self'))('a folder that cannot be written', () => {
  const refused = (path: string) => ({
    code: 1,
    stdout: '',
    stderr:
      `The folder ${path} cannot be created (ENOENT: no such file or directory, mkdir '/proc/baize'). ` +
      'Set DATA_DIR or FILES_URL to a folder that this user can create and write to.\n',
  })

  test.each(['/proc/baize', '/proc/baize/var'])(
    'an unwritable folder stops a start with DATA_DIR=%s, and one line names the folder',
    async path => {
      const { code, stdout, stderr } = await runProgram('start', [], { DATA_DIR: path })
      expect({ code, stdout, stderr }).toEqual(refused(path))
    },
  )

  test('an unwritable folder for files stops the first start', async () => {
    const own = await createTestDirectory()
    const port = String(await freePort())
    const environment = { DATA_DIR: own.path, FILES_URL: '/proc/baize/files', PORT: port, LOG_LEVEL: 'warn' }
    const { code, stdout, stderr } = await runProgram('start', [], environment)
    expect({ code, stdout, stderr }).toEqual(refused('/proc/baize/files'))
    await own.remove()
  })
})
