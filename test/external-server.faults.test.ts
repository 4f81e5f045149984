import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from './harness/command.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { createExternalDatabase, noExternalPostgres } from './harness/external-postgres.ts'
import { type Environment, type Instance, runProgram, startInstance } from './harness/program.ts'

// Tests two API processes on one PostgreSQL, as behind a load balancer, with Redis if available.

const redisUrl = 'redis://127.0.0.1:6379'
const throttlePerMinute = 20
const askAgainMs = 50

const database = await createExternalDatabase()
const redisAnswers = await answersPing(redisUrl)
if (database === null) console.warn(noExternalPostgres)
else if (!redisAnswers) console.warn('the shared throttle is skipped: no Redis answers at 127.0.0.1:6379')

async function answersPing(url: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 500,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {}) // Redis is not available.
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

describe.skipIf(database === null)('two API processes on one database', () => {
  const directories: TestDirectory[] = []
  let processes: Instance[] = []
  let environment: Environment

  beforeAll(async () => {
    environment = {
      DATABASE_URL: database?.url ?? '',
      THROTTLE_PER_MINUTE: String(throttlePerMinute),
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      ...(redisAnswers ? { REDIS_URL: redisUrl } : {}),
    }
    // Both start on a blank database. One migrates it and loads the demo world, and the other waits.
    processes = await Promise.all(
      [0, 1].map(async () => {
        const directory = await createTestDirectory()
        directories.push(directory)
        return startInstance('serve', { ...environment, DATA_DIR: directory.path })
      }),
    )
  })
  afterAll(async () => {
    await Promise.all(processes.map(each => each.kill()))
    await Promise.all(directories.map(each => each.remove()))
    await database?.drop()
  })

  const both = <Result>(work: (instance: Instance) => Promise<Result>) => Promise.all(processes.map(work))

  let clients = 0
  const run = randomBytes(4)
    .toString('hex')
    .replace(/(....)(....)/, '$1:$2')
  /** Returns a client in a new /64 network, because the throttle counts by network. */
  const newClient = () => `fd00:${run}:${(++clients).toString(16)}::1`

  /** Sends a request and retries 503, which a busy machine answers without a charge. */
  async function ask(instance: Instance, path: string, key: string, client = newClient()): Promise<Response> {
    for (;;) {
      const headers = { 'x-api-key': key, 'x-forwarded-for': client }
      const answer = await fetch(`${instance.url}${path}`, { headers })
      if (answer.status !== 503) return answer
      await answer.body?.cancel()
      await wait(askAgainMs)
    }
  }

  async function baize(...args: string[]) {
    const { code, stdout, stderr } = await runCommandHere([...args, '--json'], environment)
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  let accountRef = ''
  let key = ''

  test('a key works on both processes, and 5 seconds after its revocation on neither process', async () => {
    const created = await baize('account', 'create', '--name', 'Two', '--plan', 'starter', '--credits', '50')
    accountRef = created.account_ref
    const first = await baize('key', 'create', accountRef)
    key = (await baize('key', 'create', accountRef)).api_key
    const statuses = (apiKey: string) => both(async each => (await ask(each, '/v1/account', apiKey)).status)
    expect(await statuses(first.api_key)).toEqual([200, 200])

    await baize('key', 'revoke', first.key_ref)
    const revokedAt = Date.now()
    await eventually('both refuse it', async () =>
      (await statuses(first.api_key)).every(status => status === 401),
    )
    expect(Date.now() - revokedAt).toBeLessThan(5_000)
    expect(await statuses(key)).toEqual([200, 200])
  })

  test('the quota of one account is exact under load on two processes', async () => {
    const requests = Array.from({ length: 160 }, (_, number) => number)
    const answers = await Promise.all(
      requests.map(async number => {
        const answer = await ask(
          processes[number % 2] as Instance,
          `/v1/domains/resolve?domain=n${number}.example`,
          key,
        )
        const { errors } = (await answer.json()) as { errors?: { code: string } }
        return errors === undefined ? String(answer.status) : `${answer.status} ${errors.code}`
      }),
    )
    const counts = Object.fromEntries(
      Map.groupBy(answers, answer => answer)
        .entries()
        .map(([answer, all]) => [answer, all.length]),
    )
    expect(counts).toEqual({ 200: 50, '429 quota_exceeded': 110 })
    for (const figures of await both(async each => (await ask(each, '/v1/account', key)).json())) {
      expect(figures).toMatchObject({ data: { credits_granted: 50, credits_used: 50, available_credits: 0 } })
    }
    expect(await baize('verify')).toMatchObject({ ok: true })
  })

  test('one Idempotency-Key sent to two processes is charged once, with one answer', async () => {
    await baize('account', 'grant', accountRef, '10')
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        const answer = await fetch(`${processes[number % 2]?.url}/v1/domains/resolve?domain=same.example`, {
          headers: { 'x-api-key': key, 'x-forwarded-for': newClient(), 'idempotency-key': 'the-same' },
        })
        return {
          status: answer.status,
          charged: answer.headers.get('x-credits-charged'),
          text: await answer.text(),
        }
      }),
    )
    expect(new Set(answers.map(answer => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(answers.map(answer => answer.charged).sort()).toEqual([...Array(9).fill('0'), '1'])
  })

  test.skipIf(!redisAnswers)(
    'an unknown Redis database stops the start with one line that names the reason',
    async () => {
      const directory = await createTestDirectory()
      directories.push(directory)
      const { code, stderr } = await runProgram('serve', [], {
        ...environment,
        DATA_DIR: directory.path,
        REDIS_URL: `${redisUrl}/9999`,
      })
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^REDIS_URL=… is invalid: it must be a database and a password that Redis accepts \(.+\)\.\n$/,
      )
    },
  )

  test.skipIf(!redisAnswers)(
    'two processes throttle a client together, and their headers report the remaining requests',
    async () => {
      const client = newClient()
      const answers = await Promise.all(
        Array.from({ length: throttlePerMinute + 6 }, (_, number) =>
          ask(processes[number % 2] as Instance, '/v1/account', key, client),
        ),
      )
      const admitted = answers.filter(answer => answer.status === 200)
      expect(admitted).toHaveLength(throttlePerMinute)
      const left = admitted
        .map(answer => Number(answer.headers.get('x-ratelimit-remaining')))
        .sort((a, b) => a - b)
      expect(left).toEqual(Array.from({ length: throttlePerMinute }, (_, number) => number))
      const refused = answers.find(answer => answer.status === 429)
      expect(await refused?.json()).toMatchObject({
        error: 'Rate limit exceeded',
        retry_after: expect.any(Number),
      })
    },
  )
})
