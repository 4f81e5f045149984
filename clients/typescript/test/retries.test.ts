import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import {
  Baize,
  type BaizeOptions,
  ConnectionError,
  ServiceUnavailableError,
  TimeoutError,
} from '../src/index.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { chargesOf } from './ledger.ts'

let service: TestService
let proxy: FaultyProxy
let customer: Customer
let baize: Baize

/** A shorter limit would test the speed of the machine. */
const stallTimeoutMs = 1_000

beforeAll(async () => {
  service = await startService({ world: 'demo' })
  proxy = await startFaultyProxy(service.url)
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

async function newCustomer(options: BaizeOptions = {}): Promise<void> {
  customer = await service.customer()
  baize = new Baize({ apiKey: customer.key, baseUrl: proxy.url, retryDelayMs: 1, ...options })
  proxy.next()
  proxy.seen.length = 0
}

const keysSent = () => new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']))
const charges = () => chargesOf(service, customer.accountRef)

describe('charges after single faults', () => {
  test.each<[Fault, attempts: number]>([
    ['drop', 2],
    ['lose', 2],
    ['cut', 2],
    ['garble', 2],
    ['busy', 2],
    ['double', 1],
    ['stall', 2],
  ])(
    'a paid call is charged once, and answered, when its first attempt meets the fault "%s"',
    async (fault, attempts) => {
      await newCustomer(fault === 'stall' ? { timeoutMs: stallTimeoutMs, maxRetries: 5 } : {})
      proxy.next(fault)
      const reply = await baize.resolveDomain({ domain: 'luckyotter.example' }).withResponse()
      expect(reply.data.verdict).toBe('licensed')
      if (fault !== 'stall') expect(reply.attempts).toBe(attempts)
      expect(keysSent()).toEqual(new Set([reply.idempotencyKey]))
      expect(await charges()).toEqual(['1 domain.verdict'])
      const arrived = ['lose', 'cut', 'stall', 'double'].includes(fault)
      expect([reply.isReplay, reply.creditsCharged]).toEqual(arrived ? [true, 0] : [false, 1])
    },
  )

  test('a paid call is answered and charged once after any sequence of faults', async () => {
    const faults = fc.array(fc.constantFrom<Fault>('drop', 'lose', 'cut', 'garble', 'busy', 'double'), {
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(faults, async planned => {
        await newCustomer({ maxRetries: 4 })
        proxy.next(...planned)
        const answer = await baize.resolveDomains({
          domains: ['luckyotter.example', 'redkite-casino.example'],
        })
        expect(answer.verdicts.map(({ verdict }) => verdict)).toEqual(['licensed', 'blocklisted'])
        expect(await charges()).toEqual(['2 domain.verdict'])
        expect(keysSent().size).toBe(1)
      }),
      { numRuns: 15 },
    )
  })
})

test('two calls with the same parameters are separate calls with different keys', async () => {
  await newCustomer()
  for (let times = 0; times < 2; times++) await baize.resolveDomain({ domain: 'luckyotter.example' })
  expect(keysSent().size).toBe(2)
  expect(await charges()).toEqual(['1 domain.verdict', '1 domain.verdict'])
})

test('a failed call can be repeated with its idempotency key, and is charged once', async () => {
  await newCustomer({ maxRetries: 1 })
  proxy.next('lose', 'lose')
  const error = await baize.resolveDomain({ domain: 'luckyotter.example' }).catch(caught => caught)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ attempts: 2, message: expect.stringContaining('No answer from 127.0.0.1') })
  const { idempotencyKey } = error as ConnectionError
  const reply = await baize
    .resolveDomain({ domain: 'luckyotter.example' }, { idempotencyKey: idempotencyKey ?? '' })
    .withResponse()
  expect([reply.isReplay, reply.data.verdict]).toEqual([true, 'licensed'])
  expect(await charges()).toEqual(['1 domain.verdict'])
})

test('a call without an answer within its limit is a TimeoutError', async () => {
  await newCustomer({ maxRetries: 0, timeoutMs: 30 })
  proxy.next('stall')
  const error = await baize.getAccount().catch(caught => caught)
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error).toMatchObject({ message: 'No answer within 30 ms.', attempts: 1, idempotencyKey: null })
})

test('a service that answers 503 to every attempt gives an error after the last one', async () => {
  await newCustomer()
  proxy.next('busy', 'busy', 'busy')
  const error = await baize.searchLogos({ q: 'otter' }).catch(caught => caught)
  expect(error).toMatchObject({ status: 503, attempts: 3, reason: 'The answer is not one of Baize.' })
  expect(error).not.toBeInstanceOf(ServiceUnavailableError)
})

/** Simulates a service that gives these answers and then 200, and records the time of each request. */
function scripted(...statuses: [status: number, headers?: Record<string, string>][]) {
  const sentAtMs: number[] = []
  const fetch = async () => {
    sentAtMs.push(Date.now())
    const [status, headers = {}] = statuses[sentAtMs.length - 1] ?? [200]
    return new Response(JSON.stringify({ success: true, data: {} }), { status, headers })
  }
  return { sentAtMs, fetch }
}

describe('instructions of the service about retries', () => {
  test.each([
    [400, {}, 1],
    [402, {}, 1],
    [404, { 'retry-after': '0' }, 1],
    [408, {}, 2],
    [429, {}, 2],
    [429, { 'x-should-retry': 'false' }, 1],
    [409, { 'x-should-retry': 'true' }, 2],
    [500, {}, 2],
    [500, { 'x-should-retry': 'false' }, 1],
    [503, { 'retry-after': '121' }, 1],
    [301, { location: 'https://elsewhere.example/' }, 1],
  ])(
    'a call that is answered with status %i and headers %o is attempted %i times',
    async (status, headers: Record<string, string>, times) => {
      const { sentAtMs, fetch } = scripted([status, headers])
      const client = new Baize({ apiKey: 'client_x', retryDelayMs: 1, fetch })
      await client.getAccount().catch(() => {})
      expect(sentAtMs).toHaveLength(times)
    },
  )
})

describe('waits between attempts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function waitsOf(...statuses: Parameters<typeof scripted>): Promise<number[]> {
    const { sentAtMs, fetch } = scripted(...statuses)
    const call = new Baize({ apiKey: 'client_x', maxRetries: 9, fetch }).getAccount().catch(() => {})
    await vi.runAllTimersAsync()
    await call
    return sentAtMs.slice(1).map((at, index) => at - (sentAtMs[index] ?? 0))
  }

  test.each(['7', 'Thu, 01 Jan 1970 00:00:07 GMT'])(
    'the wait before a retry is at least Retry-After: %s',
    async after => {
      const [wait = 0, ...more] = await waitsOf([503, { 'retry-after': after }])
      expect(wait).toBeGreaterThanOrEqual(7_000)
      expect(wait).toBeLessThanOrEqual(7_500)
      expect(more).toEqual([])
    },
  )

  test('the wait doubles with each retry up to 8 seconds, and differs between clients', async () => {
    const fail: [number] = [500]
    const waits = await Promise.all(
      Array.from({ length: 8 }, () => waitsOf(fail, fail, fail, fail, fail, fail, fail)),
    )
    for (const [attempt, longestMs] of [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000].entries()) {
      const each = waits.map(of => of[attempt] ?? 0)
      expect(Math.min(...each)).toBeGreaterThanOrEqual(longestMs / 2 - 1)
      expect(Math.max(...each)).toBeLessThanOrEqual(longestMs)
      expect(new Set(each).size).toBeGreaterThan(1)
    }
  })
})

describe('signals of a call', () => {
  test('an abort signal ends a running call with the reason of the signal', async () => {
    await newCustomer()
    proxy.next('stall')
    const stop = new AbortController()
    const call = baize.getAccount({ signal: stop.signal }).catch(caught => caught)
    stop.abort(new Error('The page was closed.'))
    expect(await call).toMatchObject({ message: 'The page was closed.' })
  })

  test('an abort signal ends the wait between attempts', async () => {
    const stop = new AbortController()
    const fetch = async () => {
      stop.abort()
      return new Response('{}', { status: 503, headers: { 'retry-after': '100' } })
    }
    const client = new Baize({ apiKey: 'client_x', fetch })
    const error = await client.getAccount({ signal: stop.signal }).catch(caught => caught)
    expect(error).toMatchObject({ name: 'AbortError' })
  })
})
