import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { claimDataDirectory } from '@baize/data-directory'
import { startEmbedded } from '@baize/embedded-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { migrate } from '../src/database/migrate.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { preparePartitions } from '../src/instance/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { runCommandHere } from './harness/command.ts'
import { createTestDatabase } from './harness/database.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { openApi } from './harness/open-api.ts'
import { memoryOfTree, serversBelow } from './harness/processes.ts'
import { freePort, type Instance, startInstance } from './harness/program.ts'
import { fastSettings } from './harness/server.ts'
import { startService } from './harness/service.ts'

// Tests a service that lacks disk, connections, Redis, memory or a steady clock.

const run = promisify(execFile)
const loops = 8

type Asked = { status: number; retryAfter: string | null; isReplay: boolean }

async function askVerdict(url: string, key: string, name: string): Promise<Asked> {
  const answer = await fetch(`${url}/v1/domains/resolve?domain=${name}.example`, {
    headers: { 'x-api-key': key, 'idempotency-key': name },
  })
  await answer.text()
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    isReplay: answer.headers.get('idempotency-replayed') === 'true',
  }
}

async function creditsUsed(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/v1/account`, { headers: { 'x-api-key': key } })
  return ((await answer.json()) as { data: { credits_used: number } }).data.credits_used
}

/** Whether this process may mount a file system of limited size. */
const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

describe.skipIf(!mayMount)('a full disk (skipped unless root may mount one)', () => {
  const diskMb = 700
  let directory: TestDirectory
  let instance: Instance
  const environment = () => ({ DATA_DIR: join(directory.path, 'data'), LOG_LEVEL: 'warn' })

  beforeAll(async () => {
    directory = await createTestDirectory()
    const options = ['-t', 'tmpfs', '-o', `size=${diskMb}m,mode=755`, 'tmpfs', directory.path]
    await run('mount', options)
    instance = await startInstance('start', environment())
  })
  afterAll(async () => {
    await instance?.kill()
    await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
    await run('umount', [directory.path])
    await directory.remove()
  })

  test('a disk that is full refuses charges with 503, and loses none when it has room again', async () => {
    const baize = async (...args: string[]) =>
      JSON.parse((await runCommandHere([...args, '--json'], environment())).stdout)
    const create = ['account', 'create', '--name', 'D', '--plan', 'growth', '--credits', '1000000']
    const key = (await baize('key', 'create', (await baize(...create)).account_ref)).api_key
    const sent: string[] = []
    const charged = new Set<string>()
    const refused: Asked[] = []
    let isOver = false
    const load = Promise.all(
      Array.from({ length: loops }, async () => {
        while (!isOver) {
          const name = `full-${sent.length}`
          sent.push(name)
          const answer = await askVerdict(instance.url, key, name)
          if (answer.status === 200) charged.add(name)
          else refused.push(answer)
        }
      }),
    )
    load.catch(() => {}) // The error is handled where the promise is awaited.
    await eventually('charges flow', () => charged.size > 50)
    const ballast = join(directory.path, 'ballast')
    await fill(ballast)
    await eventually('charges are refused', () => refused.length >= loops, 240_000)
    await rm(ballast)
    const before = charged.size
    await eventually('charges flow again', () => charged.size > before + 50, 120_000)
    isOver = true
    await load
    for (const { status, retryAfter } of refused) {
      expect(status).toBe(503)
      expect(retryAfter).toMatch(/^[1-9]\d*$/)
    }
    for (const name of sent) {
      const { status, isReplay } = await askVerdict(instance.url, key, name)
      expect(status).toBe(200)
      if (charged.has(name)) expect(isReplay).toBe(true)
    }
    expect(await creditsUsed(instance.url, key)).toBe(sent.length)
    expect(await runCommandHere(['verify'], environment())).toMatchObject({ code: 0 })
  })

  /** Leaves no free block. */
  async function fill(file: string): Promise<void> {
    const piece = Buffer.alloc(1024 * 1024)
    await pipeline(function* () {
      for (;;) yield piece
    }, createWriteStream(file)).catch(error => {
      if (error.code !== 'ENOSPC') throw error
    })
    expect((await statfs(directory.path)).bavail).toBeLessThan(1_000)
  }
})

test('a server without a free connection refuses charges with 503, and charges once it has one', async () => {
  const directory = await createTestDirectory()
  const claim = await claimDataDirectory(directory.path)
  const settings = { ...fastSettings, max_connections: '40' }
  const server = await startEmbedded({ dataDirectory: directory.path, settings })
  const { host, port, user, database } = server
  const connection = { host, port, user, database }
  await migrate(connection)
  const customer = await openApi(`postgresql://${user}@localhost/${database}?host=${host}&port=${port}`)
  const others: pg.Client[] = []
  onTestFinished(async () => {
    for (const each of others) await each.end()
    await customer.close()
    await server.stop()
    await claim.release()
    await directory.remove()
  })
  const { live } = customer.service
  await preparePartitions(live.database, new Date())
  const account = await createAccount(live, { name: 'C', plan: 'growth', creditsGranted: 1_000 })
  const { api_key: key } = await createKey(live, account.account_ref)
  expect((await askVerdict(customer.address, key, 'before')).status).toBe(200)

  const closed: pg.Client[] = []
  for (;;) {
    const other = new pg.Client(connection)
    other.on('error', () => {})
    const isOpen = await other.connect().then(
      () => true,
      error => error.code !== '53300',
    )
    if (!isOpen) break
    others.push(other)
  }
  // The last connection ends those of the service, and takes one of them itself.
  await others[0]?.query(`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'baize %'`)
  while (closed.length === 0) {
    const other = new pg.Client(connection)
    other.on('error', () => {})
    const code = await other.connect().then(
      () => null,
      error => error.code,
    )
    if (code === null) others.push(other)
    else closed.push(other)
  }
  const refused = await askVerdict(customer.address, key, 'during')
  expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) })
  for (const each of others.splice(0)) await each.end()
  await eventually('a charge is made', async () => {
    return (await askVerdict(customer.address, key, 'during')).status === 200
  })
  expect(await creditsUsed(customer.address, key)).toBe(2)
  expect(await verifyAll(live)).toMatchObject({ ok: true })
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

test.skipIf(!hasRedis)('a frozen Redis refuses no request, and throttles again once it wakes', async () => {
  const port = await freePort()
  const redis: ChildProcess = spawn('redis-server', ['--port', String(port), '--save', ''], {
    stdio: 'ignore',
  })
  const database = await createTestDatabase()
  const directory = await createTestDirectory()
  const instance = await startInstance('serve', {
    DATABASE_URL: database.url,
    DATA_DIR: directory.path,
    REDIS_URL: `redis://127.0.0.1:${port}`,
    THROTTLE_PER_MINUTE: '1000',
    LOG_LEVEL: 'silent',
  })
  onTestFinished(async () => {
    redis.kill('SIGCONT')
    redis.kill('SIGKILL')
    await instance.kill()
    await database.drop()
    await directory.remove()
  })
  const ask = async () => {
    const answer = await fetch(`${instance.url}/v1/account`)
    await answer.text()
    return { status: answer.status, remaining: answer.headers.get('x-ratelimit-remaining') }
  }
  await eventually('requests are counted', async () => Number((await ask()).remaining) < 999)
  redis.kill('SIGSTOP')
  for (const answer of await Promise.all(Array.from({ length: 40 }, ask))) expect(answer.status).toBe(401)
  redis.kill('SIGCONT')
  await eventually('requests are counted again', async () => (await ask()).remaining !== null)
})

test('a clock that jumps by hours, forwards and backwards, charges each request once', async () => {
  const service = await startService()
  onTestFinished(async () => {
    vi.useRealTimers()
    await service.close()
  })
  const customer = await service.customer({ credits: 1_000 })
  const hours = [0, 3, -2, 30, -30, 0]
  const start = Date.now()
  for (const [index, jump] of hours.entries()) {
    vi.useFakeTimers({ toFake: ['Date'], now: start + jump * 3_600_000 })
    for (const name of [`jump-${index}`, 'jump-0']) {
      const answer = await customer.ask(`/v1/domains/resolve?domain=${name}.example`, {
        headers: { 'idempotency-key': name },
      })
      expect([name, answer.status]).toEqual([name, 200])
    }
  }
  expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(hours.length)
  vi.useRealTimers()
  expect(await verifyAll(service.service.live)).toMatchObject({ ok: true })
})

test('a mixed load leaves the memory of a process flat', async () => {
  const database = await createTestDatabase('demo')
  const directory = await createTestDirectory()
  const environment = { DATABASE_URL: database.url, DATA_DIR: directory.path, LOG_LEVEL: 'silent' }
  const instance = await startInstance('serve', environment)
  onTestFinished(async () => {
    await instance.kill()
    await database.drop()
    await directory.remove()
  })
  const baize = async (...args: string[]) =>
    JSON.parse((await runCommandHere([...args, '--json'], environment)).stdout)
  const create = ['account', 'create', '--name', 'M', '--plan', 'growth', '--credits', '1000000']
  const key = (await baize('key', 'create', (await baize(...create)).account_ref)).api_key
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const domains = Array.from({ length: 200 }, (_, index) => `mixed-${index}.example`)
  const requests: ((number: number) => [string, RequestInit?])[] = [
    number => [`/v1/domains/resolve?domain=m${number}.example`],
    number => [
      `/v1/domains/resolve?domain=luckyotter.example`,
      { headers: { 'idempotency-key': `m${number}` } },
    ],
    () => ['/v1/domains/resolve', { method: 'POST', body: JSON.stringify({ domains }) }],
    () => ['/v1/domains/search?verdict=blocklisted'],
    number => [`/v1/companies/search/preview?q=otter${number}`],
    () => ['/v1/coverage'],
    () => ['/v1/nowhere'],
    () => ['/v1/domains/resolve', { method: 'POST', body: '{' }],
  ]
  let sent = 0
  const round = () =>
    Promise.all(
      Array.from({ length: loops }, async () => {
        for (let left = requestsOfRound / loops; left > 0; left--) {
          const number = sent++
          const [path, init = {}] = (requests[number % requests.length] as (typeof requests)[0])(number)
          const answer = await fetch(`${instance.url}${path}`, {
            ...init,
            headers: { ...headers, ...init.headers },
          })
          await answer.arrayBuffer()
          expect(answer.status).toBeLessThan(500)
        }
      }),
    )
  const memory: number[] = []
  for (let number = 0; number < rounds; number++) {
    await round()
    memory.push(await memoryOfTree(instance.pid))
  }
  // The first rounds fill caches and compile code.
  expect(memory.at(-1)).toBeLessThan(1.2 * (memory[warmRounds] as number))
})

const requestsOfRound = 800
const rounds = 8
const warmRounds = 3
