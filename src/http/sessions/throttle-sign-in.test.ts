import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestServiceOptions } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { createQueue } from '../../features/enrichments/fixture.ts'
import { createLink, linkMailTask } from '../../features/sessions/index.ts'
import { listJobs } from '../../jobs/index.ts'

const started: TestService[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(service => service.close()))
})

async function start(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startService({
    throttlePerMinute: 100,
    trustProxy: 1,
    mailFrom: 'baize@mail.test',
    ...options,
  })
  started.push(service)
  return service
}

const headers = {
  accept: 'text/html',
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

const attempt = ({ ask }: TestService, email: string, ip = '192.0.2.1', accept = 'text/html') =>
  ask('/sign-in', {
    method: 'POST',
    headers: { ...headers, accept, 'x-forwarded-for': ip },
    body: new URLSearchParams({ email }).toString(),
  })

const address = () => `${randomUUID()}@baize.test`

async function statuses(service: TestService, attempts: readonly [email: string, ip: string][]) {
  const counts: Record<number, number> = {}
  for (const [email, ip] of attempts) {
    const { status } = await attempt(service, email, ip)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

const mailJobs = async ({ service }: TestService) =>
  (await listJobs(service.live.database)).filter(({ task }) => task === linkMailTask.name).length

const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index))

describe('300 sign-in attempts a minute', () => {
  test('of 300 sign-in attempts a minute from one IP address, 30 are answered, others get 429', async () => {
    const service = await start()
    expect(
      await statuses(
        service,
        times(300, () => [address(), '192.0.2.1']),
      ),
    ).toEqual({ 200: 30, 429: 270 })
    const page = await attempt(service, 'otter@baize.test')
    expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(page.text).toContain('Too many sign-ins')
    expect(page.text).toContain('value="otter@baize.test"')
    const { status, body } = await attempt(service, 'otter@baize.test', '192.0.2.1', 'application/json')
    expect([status, body]).toEqual([
      429,
      { error: 'Rate limit exceeded', message: expect.any(String), retry_after: expect.any(Number) },
    ])
    expect((await attempt(service, 'otter@baize.test', '192.0.2.2')).status).toBe(200)
  })

  test('300 sign-in attempts for one mail address send 5 mails, whether it is known or not', async () => {
    const service = await start()
    await createQueue(service)
    const { email } = await signIn(service, {})
    const stranger = address()
    const spread = (of: string) => times(300, index => [of, `198.51.100.${index % 250}`] as [string, string])
    expect(await statuses(service, spread(email))).toEqual({ 200: 300 })
    expect(await mailJobs(service)).toBe(5)
    expect(await statuses(service, spread(stranger))).toEqual({ 200: 300 })
    expect(await mailJobs(service)).toBe(10)
    const known = await attempt(service, email.toUpperCase(), '203.0.113.9')
    const unknown = await attempt(service, stranger, '203.0.113.9')
    expect([known.status, unknown.status, await mailJobs(service)]).toEqual([200, 200, 10])
    expect(known.text).toContain('Check your mail')
    expect(known.text.replaceAll(email, 'X')).toBe(unknown.text.replaceAll(stranger, 'X'))
  })

  test('the time of a sign-in attempt does not depend on whether the address is known', async () => {
    const service = await start({ throttlePerMinute: 0 })
    await createQueue(service)
    const { email } = await signIn(service, {})
    const seconds: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (const _ of times(150, Number))
      for (const kind of ['known', 'unknown'] as const) {
        const start = performance.now()
        expect((await attempt(service, kind === 'known' ? email : address())).status).toBe(200)
        seconds[kind].push(performance.now() - start)
      }
    const median = (of: number[]) => of.toSorted((a, b) => a - b)[of.length >> 1] as number
    const ratio = median(seconds.known) / median(seconds.unknown)
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.25)
  })

  test('300 sign-in attempts a minute do not stop a user who has a link', async () => {
    const service = await start()
    const { email } = await signIn(service, {})
    await statuses(
      service,
      times(40, () => [email, '192.0.2.1']),
    )
    const now = new Date()
    for (const _ of times(8, Number)) {
      const link = `/sign-in/${await createLink(service.service.live.database, email, now)}`
      const asked = { method: 'POST', headers: { ...headers, 'x-forwarded-for': '192.0.2.1' }, body: '' }
      expect((await service.ask(link, asked)).status).toBe(303)
    }
  })

  test('300 sign-in attempts a minute are all answered if THROTTLE_PER_MINUTE is 0', async () => {
    const service = await start({ throttlePerMinute: 0 })
    expect(
      await statuses(
        service,
        times(40, () => ['otter@baize.test', '192.0.2.1']),
      ),
    ).toEqual({ 200: 40 })
  })
})

describe('the sign-in throttle with Redis', () => {
  const redis = new Redis('redis://127.0.0.1:6379', {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  afterAll(() => redis.disconnect())

  test('two processes count sign-in attempts together with Redis', async context => {
    await redis.connect().catch(() => context.skip('no Redis answers at 127.0.0.1:6379'))
    const services = [await start({ redis }), await start({ redis })]
    for (const service of services) await createQueue(service)
    const email = address()
    const attempts = times(5, index => [email, `203.0.113.${index}`] as [string, string])
    await Promise.all(services.map(service => statuses(service, attempts)))
    const mails = await Promise.all(services.map(mailJobs))
    expect(mails.reduce((sum, count) => sum + count)).toBe(5)
  })
})
