import { findRunning } from '@baize/data-directory'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../src/database/open.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { preparePartitions } from '../src/instance/index.ts'
import { runCommandHere } from './harness/command.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { processesAreVisible, serversBelow } from './harness/processes.ts'
import { type Environment, type Instance, startInstance } from './harness/program.ts'

const loops = 20
const credits = 1_000_000

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

type Verdict = { status: number; replayed: boolean; text: string }

async function askVerdict(url: string, apiKey: string, idempotencyKey: string): Promise<Verdict> {
  const answer = await fetch(`${url}/v1/domains/resolve?domain=${idempotencyKey}.example`, {
    headers: { 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
  })
  const replayed = answer.headers.get('idempotency-replayed') === 'true'
  return { status: answer.status, replayed, text: await answer.text() }
}

async function creditsUsed(url: string, apiKey: string): Promise<number> {
  const answer = await fetch(`${url}/v1/account`, { headers: { 'x-api-key': apiKey } })
  return ((await answer.json()) as { data: { credits_used: number } }).data.credits_used
}

class Load {
  static #runs = 0
  readonly #name = `run-${++Load.#runs}`
  readonly asked: string[] = []
  readonly answered = new Map<string, string>()

  /** Sends requests until the service stops answering. `onAnswer` receives the number of answers. */
  async run(url: string, apiKey: string, onAnswer: (count: number) => void): Promise<void> {
    const loop = async () => {
      for (;;) {
        const key = `${this.#name}-${this.asked.length}`
        this.asked.push(key)
        const verdict = await askVerdict(url, apiKey, key).catch(() => null)
        if (verdict === null) return
        expect([verdict.status, verdict.replayed]).toEqual([200, false])
        this.answered.set(key, verdict.text)
        onAnswer(this.answered.size)
      }
    }
    await Promise.all(Array.from({ length: loops }, loop))
  }

  /** Repeats all requests, and returns the number of replays. */
  async retry(url: string, apiKey: string): Promise<number> {
    let replays = 0
    const left = [...this.asked]
    const loop = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        const verdict = await askVerdict(url, apiKey, key)
        expect(verdict.status).toBe(200)
        if (verdict.replayed) replays += 1
        const first = this.answered.get(key)
        if (first !== undefined) expect(verdict).toEqual({ status: 200, replayed: true, text: first })
      }
    }
    await Promise.all(Array.from({ length: loops }, loop))
    return replays
  }
}

async function expectVerified(environment: Environment): Promise<void> {
  const { code, stdout, stderr } = await runCommandHere(['verify', '--json'], environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ ok: true })
}

describe('an API process killed with -9 under load', () => {
  let database: TestDatabase
  let environment: Environment
  let apiKey: string

  beforeAll(async () => {
    database = await createTestDatabase()
    environment = { DATABASE_URL: database.url, DATA_DIR: directory.path, LOG_LEVEL: 'warn' }
    const world = openWorld('public', { connection: database.connection })
    await preparePartitions(world.database, new Date())
    const account = await createAccount(world, { name: 'Killed', plan: 'growth', creditsGranted: credits })
    apiKey = (await createKey(world, account.account_ref)).api_key
    await world.close()
  })
  afterAll(async () => {
    await instance?.kill()
    instance = null
    await database.drop()
  })

  /** The process is killed after this many answers and further turns of the client's event loop. */
  const killMoments = fc.record({
    answers: fc.integer({ min: 1, max: 400 }),
    turns: fc.integer({ min: 0, max: 50 }),
  })

  test('an API process killed under load has stored every answered charge, and charges once', async () => {
    const serve = () => startInstance('serve', environment)
    await fc.assert(
      fc.asyncProperty(killMoments, async ({ answers, turns }) => {
        instance ??= await serve()
        const usedBefore = await creditsUsed(instance.url, apiKey)
        const load = new Load()
        let turnsLeft = turns
        const { kill } = instance
        const countDown = () => (turnsLeft-- > 0 ? void setImmediate(countDown) : void kill())
        await load.run(instance.url, apiKey, count => {
          if (count === answers) countDown()
        })
        await kill()
        instance = await serve()
        const settled = (await creditsUsed(instance.url, apiKey)) - usedBefore
        expect(settled).toBeGreaterThanOrEqual(load.answered.size)
        const replays = await load.retry(instance.url, apiKey)
        expect(replays).toBe(settled)
        expect((await creditsUsed(instance.url, apiKey)) - usedBefore).toBe(load.asked.length)
      }),
      { numRuns: 3, endOnFailure: true },
    )
    await expectVerified(environment)
  })
})

describe.skipIf(!processesAreVisible)('an instance with its embedded PostgreSQL', () => {
  const start = () => startInstance('start', { DATA_DIR: directory.path, LOG_LEVEL: 'warn' })
  let apiKey = ''

  test('an instance killed with -9 has stored all answered charges and leaves no server', async () => {
    const first = await start()
    instance = first
    apiKey = await eventually(
      'the key is printed',
      () => first.stdout().match(/client_[0-9A-Za-z]{38}/)?.[0] ?? '',
    )
    const load = new Load()
    await load.run(first.url, apiKey, count => {
      if (count === 100) void first.kill()
    })
    await first.kill()
    await eventually('its server ends', async () => (await serversBelow(directory.path)).length === 0)
    expect(await findRunning(directory.path)).toBeNull()
    instance = await start()
    const settled = await creditsUsed(instance.url, apiKey)
    expect(settled).toBeGreaterThanOrEqual(load.answered.size)
    expect(await load.retry(instance.url, apiKey)).toBe(settled)
    expect(await creditsUsed(instance.url, apiKey)).toBe(load.asked.length)
    await expectVerified({ DATA_DIR: directory.path })
  })
})
