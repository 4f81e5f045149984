import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, type TestContext, test, vi } from 'vitest'
import {
  type Ask,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../test/harness/service.ts'
import { demoKey } from '../core/api-key.ts'

const account = '/v1/account'
const started: TestService[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(started.splice(0).map(service => service.close()))
})

/** Starts another service, so that its counts end with it. */
async function throttled(options: TestServiceOptions): Promise<TestService> {
  const service = await startService(options)
  started.push(service)
  return service
}

async function statuses(service: TestService, paths: string[], asked?: Ask): Promise<number[]> {
  const answers: number[] = []
  for (const path of paths) answers.push((await service.ask(path, asked)).status)
  return answers
}

const times = (count: number, path = account) => Array.from({ length: count }, () => path)
const from = (address: string): Ask => ({ headers: { 'x-forwarded-for': address } })

function expectThrottled({ status, body, headers }: Response, limit: number): void {
  expect(status).toBe(429)
  expect(body).toEqual({
    error: 'Rate limit exceeded',
    message: expect.any(String),
    retry_after: expect.any(Number),
  })
  expect(Number.isInteger(body.retry_after) && body.retry_after >= 1 && body.retry_after <= 60).toBe(true)
  expect(headers.get('retry-after')).toBe(String(body.retry_after))
  expect(headers.get('x-ratelimit-limit')).toBe(String(limit))
  expect(headers.get('x-ratelimit-remaining')).toBe('0')
  expect(headers.get('x-ratelimit-reset')).toBe(String(body.retry_after))
  expect(headers.get('ratelimit-policy')).toBe(`"ip";q=${limit};w=60`)
  expect(headers.get('ratelimit')).toBe(`"ip";r=0;t=${body.retry_after}`)
  expect(headers.get('x-request-id')).toBeTruthy()
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
}

describe('the throttle of §8', () => {
  test('the throttle of §8 allows 100 requests per minute and IP; the 101st gets a Retry-After', async () => {
    const service = await throttled({ throttlePerMinute: 100 })
    const answers = await Promise.all(times(100).map(path => service.ask(path)))
    expect(answers.every(answer => answer.status === 401)).toBe(true)
    const remaining = answers
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
      .sort((a, b) => b - a)
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index))
    for (const { headers } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe('100')
      expect(headers.get('ratelimit')).toMatch(/^"ip";r=\d+;t=\d+$/)
      expect(headers.get('retry-after')).toBeNull()
    }
    expectThrottled(await service.ask(account), 100)
  })

  test('the throttle of §8 starts a new count when the minute is over, and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const service = await throttled({ throttlePerMinute: 1 })
    const beginning = Date.now()
    expect(await statuses(service, times(2))).toEqual([401, 429])
    vi.setSystemTime(beginning + 59_000)
    const { status, body } = await service.ask(account)
    expect([status, body.retry_after]).toEqual([429, 1])
    vi.setSystemTime(beginning + 60_001)
    expect(await statuses(service, times(2))).toEqual([401, 429])
  })

  test('the throttle of §8 counts all keys of one IP address together, before authentication', async () => {
    const service = await throttled({ throttlePerMinute: 3 })
    const { key } = await service.customer()
    expect((await service.ask(account, { key })).status).toBe(200)
    expect((await service.ask(account, { key: 'client_nonsense' })).status).toBe(401)
    await service.ask(account, { key: demoKey })
    for (const each of [key, demoKey, null]) expectThrottled(await service.ask(account, { key: each }), 3)
  })

  test('the throttle of §8 charges nothing for refused requests', async () => {
    const service = await throttled({ throttlePerMinute: 2 })
    const { key } = await service.customer()
    const resolves = times(6, '/v1/domains/resolve?domain=casino.example')
    expect(await statuses(service, resolves, { key })).toEqual([200, 200, 429, 429, 429, 429])
    const { used } = await service.service.live.database
      .selectFrom('account_balances')
      .select('used')
      .executeTakeFirstOrThrow()
    expect(used).toBe(2)
  })

  test('the throttle of §8 counts unknown paths below /v1 and wrong methods too', async () => {
    const service = await throttled({ throttlePerMinute: 4 })
    expect(await statuses(service, ['/v1', '/v1/', '/v1/nowhere'])).toEqual([404, 404, 404])
    expect((await service.ask(account, { method: 'POST' })).status).toBe(405)
    expect(await statuses(service, ['/v1', '/v1/nowhere', account])).toEqual([429, 429, 429])
  })

  test('the throttle of §8 counts undecodable paths and rare methods', async () => {
    const service = await throttled({ throttlePerMinute: 4 })
    const { key } = await service.customer()
    expect(await statuses(service, ['/v1/%', '/v1/nowhere/%E0%A4%A'])).toEqual([404, 404])
    const unusual = await service.ask(account, { method: 'PROPFIND', key })
    expect([unusual.status, unusual.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(unusual.headers.get('x-ratelimit-remaining')).toBe('1')
    expect(await statuses(service, ['/v1/%', '/v1/%'])).toEqual([404, 429])
  })

  test('the throttle of §8 does not apply to health, readiness, metrics and documentation', async () => {
    const service = await throttled({ throttlePerMinute: 1 })
    expect(await statuses(service, times(2))).toEqual([401, 429])
    const paths = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/errors/quota_exceeded']
    expect(await statuses(service, [...paths, ...paths])).toEqual([...paths, ...paths].map(() => 200))
    expect((await service.ask('/healthz')).headers.get('x-ratelimit-limit')).toBeNull()
  })

  test('THROTTLE_PER_MINUTE=0 turns off the throttle of §8', async () => {
    const service = await throttled({ throttlePerMinute: 0 })
    const answers = await Promise.all(times(150).map(path => service.ask(path)))
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([401]))
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toBeNull()
  })
})

describe('the address that a throttle counts', () => {
  test('the throttle ignores forwarded headers unless a proxy is trusted', async () => {
    const service = await throttled({ throttlePerMinute: 2 })
    const answers: number[] = []
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` }
      answers.push((await service.ask(account, { headers })).status)
    }
    expect(answers).toEqual([401, 401, 429])
  })

  test('behind a trusted proxy, the throttle counts the address that the proxy saw', async () => {
    const service = await throttled({ throttlePerMinute: 2, trustProxy: 1 })
    const first = await statuses(service, times(3), from('198.51.100.1'))
    const second = await statuses(service, times(2), from('198.51.100.2'))
    const forged = await service.ask(account, from('203.0.113.9, 198.51.100.2'))
    expect([first, second, forged.status]).toEqual([[401, 401, 429], [401, 401], 429])
  })
})

describe('the throttle with Redis', () => {
  /** Connects to the Redis of this machine. Without one, the test is skipped with a reason. */
  async function redisOrSkip(context: TestContext): Promise<Redis> {
    const redis = new Redis('redis://127.0.0.1:6379', {
      lazyConnect: true,
      connectTimeout: 500,
      retryStrategy: () => null,
    })
    redis.on('error', () => {}) // `ping` reports the error.
    const answers = await redis.ping().then(
      () => true,
      () => false,
    )
    if (!answers) {
      redis.disconnect()
      context.skip('no Redis answers at 127.0.0.1:6379')
    }
    context.onTestFinished(() => redis.disconnect())
    return redis
  }

  /** Returns an address that no other test uses, because Redis outlives the test. */
  function newAddress(): string {
    const [a, b, c] = randomBytes(3)
    return `10.${a}.${b}.${c}`
  }

  test('two servers with the same Redis share the counts of the throttle', async context => {
    const redis = await redisOrSkip(context)
    const options = { throttlePerMinute: 4, trustProxy: 1, redis }
    const [one, other] = await Promise.all([throttled(options), throttled(options)])
    const address = newAddress()
    const answers: Response[] = []
    for (const service of [one, other, one, other]) answers.push(await service.ask(account, from(address)))
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['3', '2', '1', '0'])
    expectThrottled(await one.ask(account, from(address)), 4)
    expectThrottled(await other.ask(account, from(address)), 4)
    expect((await other.ask(account, from(newAddress()))).status).toBe(401)
  })

  test('requests are answered although Redis is unreachable', async () => {
    const gone = new Redis('redis://127.0.0.1:1', {
      connectTimeout: 500,
      maxRetriesPerRequest: 1,
      retryStrategy: () => 10,
    })
    gone.on('error', () => {}) // The connection is meant to fail.
    try {
      const service = await throttled({ throttlePerMinute: 1, redis: gone })
      expect(await statuses(service, times(3))).toEqual([401, 401, 401])
    } finally {
      gone.disconnect()
    }
  })
})
