import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import {
  type Ask,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../../test/harness/service.ts'
import { assignProspectList, listProspectListsForStaff } from '../../features/prospect-lists/index.ts'

const path = '/prospect-list-requests'
const asked = {
  name: 'Ada Example',
  email: 'ada@gateway.example',
  company: 'Gateway Payments Ltd',
  request: 'Operators in Denmark that take cards.\nHeads of payments.',
  cadence: 'weekly',
}

const started: TestService[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(started.splice(0).map(service => service.close()))
})

/** Starts another service, so that its counts end with it. Each request may come from another address. */
async function start(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startService({ trustProxy: 1, ...options })
  started.push(service)
  return service
}

let addresses = 0
function freshAddress(): string {
  addresses += 1
  return `192.0.2.${addresses}`
}

const asJson = (body: unknown, address = freshAddress()): Ask => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
})

const asForm = (body: Record<string, string> | string, address = freshAddress()): Ask => ({
  method: 'POST',
  body: new URLSearchParams(body).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
})

const received = ({ status, body }: Response) => [status, body]
const answer = {
  success: true,
  message: 'Request received',
  data: { status: 'requested' },
  timestamp: expect.any(String),
}
const stored = ({ service }: TestService) => listProspectListsForStaff(service.live, {})

describe('the public form', () => {
  test.each([
    ['as JSON', asJson],
    ['as a browser sends a form', asForm],
  ])('a request in the public form sent %s is stored for staff, and belongs to no account', async (_, as) => {
    const service = await start()
    expect(received(await service.ask(path, as(asked)))).toEqual([202, answer])
    expect(await stored(service)).toEqual([
      {
        prospect_list_ref: expect.stringMatching(/^pl_[0-9A-Za-z]{20}$/),
        account_ref: null,
        account_name: null,
        status: 'requested',
        cadence: 'weekly',
        requested_at: expect.any(Date),
        ready_at: null,
        target_account_count: null,
        requested_by: {
          name: asked.name,
          email: asked.email,
          company: asked.company,
          request: asked.request,
        },
      },
    ])
  })

  test('a client sees a list requested in the public form only after staff have assigned it', async () => {
    const service = await start()
    const customer = await service.customer()
    await service.ask(path, { ...asJson(asked), key: customer.key })
    expect((await customer.ask('/v1/prospect-lists')).body.data.prospect_lists).toEqual([])
    const [list] = await stored(service)
    const ref = list?.prospect_list_ref ?? ''
    await assignProspectList(service.service.live, ref, customer.accountRef)
    const { body } = await customer.ask('/v1/prospect-lists')
    expect(body.data.prospect_lists).toEqual([
      expect.objectContaining({ prospect_list_ref: ref, status: 'requested', cadence: 'weekly' }),
    ])
    expect(JSON.stringify(body)).not.toContain(asked.email)
  })

  test('the public form has a default cadence, and leaves out empty fields', async () => {
    const service = await start()
    const { cadence: _, ...rest } = asked
    expect((await service.ask(path, asForm({ ...rest, cadence: '', fax: '' }))).status).toBe(202)
    expect(await stored(service)).toMatchObject([{ cadence: 'one_time' }])
  })

  test('the public form removes characters that a terminal would obey', async () => {
    const service = await start()
    const request = 'Line one\r\n\u001b[2Jline two\u009b31m'
    await service.ask(path, asJson({ ...asked, name: ' Ada\n\u001b]0;x\u0007 ', request }))
    const [list] = await stored(service)
    expect(list?.requested_by).toMatchObject({ name: 'Ada ]0;x', request: 'Line one \n [2Jline two 31m' })
  })

  test('the public form removes changes of text direction, and keeps joiners of scripts', async () => {
    const service = await start()
    const request = '\u2067evil\u2069 \u202egpj.exe\u200e\u200f, \u061cनमस्\u200dते, می\u200cخواهم'
    await service.ask(path, asJson({ ...asked, name: '\u202eadA\u202c', request }))
    const [list] = await stored(service)
    expect(list?.requested_by).toMatchObject({
      name: 'adA',
      request: 'evil gpj.exe, नमस्\u200dते, می\u200cخواهم',
    })
  })

  test('a bot that fills in the honeypot gets the usual response, and nothing is stored', async () => {
    const service = await start()
    const bait = await service.ask(path, asForm({ ...asked, fax: '+45 1' }))
    const real = await service.ask(path, asForm(asked))
    expect(received(bait)).toEqual([202, answer])
    expect(Object.keys(bait.body)).toEqual(Object.keys(real.body))
    expect(await stored(service)).toHaveLength(1)
  })

  test('a bot gets the usual response for invalid input, too, and no error names the honeypot', async () => {
    const service = await start()
    const bait = await service.ask(path, asForm({ email: 'nobody', phone: '1', fax: '+45 1' }))
    expect(received(bait)).toEqual([202, answer])
    expect(await stored(service)).toEqual([])
    const refused = await service.ask(path, asForm({ ...asked, fx: '1' }))
    expect(refused.status).toBe(400)
    expect(refused.text).not.toContain('fax')
  })

  test('the public form ignores keys, even wrong ones', async () => {
    const service = await start()
    expect((await service.ask(path, { ...asJson(asked), key: 'client_nobody' })).status).toBe(202)
  })
})

describe('an invalid public form', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ trustProxy: 1 })
  })
  afterAll(() => service.close())

  const without = (name: keyof typeof asked) => {
    const { [name]: _, ...rest } = asked
    return rest
  }
  test.each<[string, Ask, number, string, string | null]>([
    ['no name', asJson(without('name')), 400, 'missing_parameter', 'name'],
    ['a blank company', asForm({ ...asked, company: '  ' }), 400, 'missing_parameter', 'company'],
    ['no e-mail address', asJson({ ...asked, email: 'ada at gateway' }), 400, 'invalid_parameter', 'email'],
    ['a long name', asJson({ ...asked, name: 'x'.repeat(201) }), 400, 'invalid_parameter', 'name'],
    ['a long request', asForm({ ...asked, request: 'x'.repeat(5_001) }), 400, 'invalid_parameter', 'request'],
    ['another cadence', asJson({ ...asked, cadence: 'daily' }), 400, 'invalid_parameter', 'cadence'],
    ['a field too many', asForm({ ...asked, phone: '1' }), 400, 'unknown_parameter', 'phone'],
    ['a field of a prototype', asJson('{"__proto__": "x"}'), 400, 'unknown_parameter', '__proto__'],
    ['a field twice', asForm('name=a&name=b'), 400, 'invalid_parameter', 'name'],
    ['a number', asJson({ ...asked, name: 5 }), 422, 'unprocessable_body', 'name'],
    ['half a character', asJson({ ...asked, name: 'A\ud800' }), 422, 'unprocessable_body', 'name'],
    ['a list', asJson([asked]), 422, 'unprocessable_body', null],
    [
      'nothing at all',
      { method: 'POST', headers: { 'x-forwarded-for': freshAddress() } },
      422,
      'unprocessable_body',
      null,
    ],
    ['half of a body', asJson('{"name":'), 400, 'invalid_json', null],
    [
      'a body beyond all bounds',
      asJson({ ...asked, request: 'x'.repeat(70_000) }),
      413,
      'body_too_large',
      null,
    ],
    [
      'another media type',
      { ...asJson('<x/>'), headers: { 'content-type': 'text/xml', 'x-forwarded-for': freshAddress() } },
      415,
      'unsupported_media_type',
      null,
    ],
    [
      'plain text',
      { ...asJson(asked), headers: { 'content-type': 'text/plain', 'x-forwarded-for': freshAddress() } },
      415,
      'unsupported_media_type',
      null,
    ],
  ])('a form with %s is refused by name, and not stored', async (_, request, status, code, parameter) => {
    const response = await service.ask(path, request)
    expect([response.status, response.body?.errors.code]).toEqual([status, code])
    expect(response.body.success).toBe(false)
    if (parameter !== null) expect(response.body.errors.details.parameter).toBe(parameter)
    expect(await stored(service)).toEqual([])
  })

  test('another method of the public form answers 405 with the accepted one', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body, headers } = await service.ask(path, { method })
      expect([status, body.errors.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'POST'])
    }
  })

  test('the public form answers 503 with Retry-After if the request cannot be stored', async () => {
    await withClient(service.database.connection, async client => {
      await client.query('begin')
      await client.query('lock table prospect_lists')
      const { status, body, headers } = await service.ask(path, asJson(asked))
      expect([status, body.errors.code]).toEqual([503, 'service_unavailable'])
      expect(headers.get('retry-after')).not.toBeNull()
    })
    expect(await stored(service)).toEqual([])
  })
})

describe('the throttle of the public form', () => {
  const statuses = async (service: TestService, count: number, address: string) => {
    const found: number[] = []
    for (let number = 0; number < count; number++)
      found.push((await service.ask(path, asJson(asked, address))).status)
    return found
  }

  test('the public form accepts five requests per minute and address, if /v1 has no throttle', async () => {
    const service = await start({ throttlePerMinute: 0 })
    expect(await statuses(service, 6, '198.51.100.1')).toEqual([202, 202, 202, 202, 202, 429])
    expect(await statuses(service, 1, '198.51.100.2')).toEqual([202])
    const { status, body, headers } = await service.ask(path, asJson(asked, '198.51.100.1'))
    expect(status).toBe(429)
    expect(body).toEqual({
      error: 'Rate limit exceeded',
      message: expect.stringContaining('5 requests per minute and 20 per hour'),
      retry_after: expect.any(Number),
    })
    expect(headers.get('retry-after')).toBe(String(body.retry_after))
    const limits = ['limit', 'remaining', 'reset'].map(name => headers.get(`x-ratelimit-${name}`))
    expect(limits).toEqual(['5', '0', String(body.retry_after)])
    expect(await stored(service)).toHaveLength(6)
  })

  test('the public form accepts twenty requests an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-05T05:05:05Z') })
    const service = await start()
    const found: number[] = []
    for (let minute = 0; minute < 5; minute++) {
      found.push(...(await statuses(service, 5, '198.51.100.3')))
      vi.setSystemTime(Date.now() + 61_000)
    }
    expect(found).toEqual([...Array(20).fill(202), ...Array(5).fill(429)])
    const { body } = await service.ask(path, asJson(asked, '198.51.100.3'))
    expect(body.retry_after).toBeGreaterThan(3_000)
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(await statuses(service, 1, '198.51.100.3')).toEqual([202])
  })

  test('the throttle of the public form counts a whole IPv6 network as one address', async () => {
    const service = await start()
    const found: number[] = []
    for (let host = 1; host <= 6; host++) found.push(...(await statuses(service, 1, `2001:db8::${host}`)))
    expect(found.at(-1)).toBe(429)
  })

  test('two servers share the counts of the public form with Redis', async context => {
    const redis = new Redis('redis://127.0.0.1:6379', {
      lazyConnect: true,
      connectTimeout: 500,
      retryStrategy: () => null,
    })
    redis.on('error', () => {}) // `ping` reports the error.
    context.onTestFinished(() => redis.disconnect())
    if ((await redis.ping().catch(() => null)) === null) context.skip('no Redis answers at 127.0.0.1:6379')
    const [one, other] = [await start({ redis }), await start({ redis })]
    // Redis outlives the test, so the address must be one that no other test uses.
    const address = `10.${[...randomBytes(3)].join('.')}`
    const found: number[] = []
    for (const service of [one, other, one, other, one, other])
      found.push(...(await statuses(service, 1, address)))
    expect(found).toEqual([202, 202, 202, 202, 202, 429])
  })

  test('the throttle of the public form counts refused requests too', async () => {
    const service = await start()
    for (let number = 0; number < 5; number++) await service.ask(path, asJson({}, '198.51.100.4'))
    expect(await statuses(service, 1, '198.51.100.4')).toEqual([429])
  })
})
