import fc from 'fast-check'
import build from 'fast-json-stringify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { readDemoRecords } from '../../../test/harness/demo-world.ts'
import { loadLines } from '../../../test/harness/load-lines.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { day, entry, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'
import { recentUsage } from '../account/index.ts'
import { resolveDomains } from './resolve-domains.ts'

const path = '/v1/domains/resolve'
const five = resolveDomains.demo[0]?.body?.domains as string[]
const awkward = 'Quote " backslash \\ tab \t line \u2028 control \u0001 emoji 🦦 </script>'

let service: TestService
let customer: Customer
let stored: string[]
const misfits = declaredData('resolve_domains')
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 10_000_000 })
  await loadLines(service.service.live, [
    { kind: 'company', key: 'awkward', company_name: awkward, subject_kind: 'legal_entity' },
    {
      kind: 'license',
      jurisdiction: 'mga',
      license_number: awkward,
      company: 'awkward',
      authorized_domains: ['awkward.example'],
    },
  ])
  const telegram = { domain: 't.me', scope: 'shared_host' } as const
  const pages = ['t.me/casino', 't.me/casino/vip'].map(published =>
    entry(published, { ...telegram, published, recordKey: published, listedAs: published }),
  )
  await syncApproved(service.service.live, fakeStream('italy.blocklist'), [fileOf(...pages)], {
    takenAt: day(1),
    now: day(1),
  })
  const { database } = service.service.live
  stored = (await database.selectFrom('domains').select('domain').execute()).map(({ domain }) => domain)
  expect(stored.length).toBeGreaterThan((await readDemoRecords()).length / 20)
})
afterAll(() => service.close())

type Sent = { key?: string; by?: Customer; maxCredits?: number }

const post = (body: string, { key, by = customer }: Sent = {}): Promise<Response> =>
  by.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body,
  })
const resolve = (domains: unknown, { maxCredits, ...sent }: Sent = {}): Promise<Response> =>
  post(JSON.stringify({ domains, ...(maxCredits === undefined ? {} : { max_credits: maxCredits }) }), sent)

async function used(by: Customer): Promise<number> {
  return (await by.ask('/v1/account')).body.data.credits_used
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
type Verdict = Record<string, any>

/** Returns the verdict or error of a request for one domain. */
async function single(input: string): Promise<{ verdict: Verdict } | { code: string; message: string }> {
  const { body } = await customer.ask(`${path}?domain=${encodeURIComponent(input)}`)
  if (!body.success) return { code: body.errors.code, message: body.message }
  const { checked: _, billing: __, credits_charged: ___, ...verdict } = body.data
  return { verdict }
}

/** Returns the verdicts and errors of single requests for the same list. */
async function singles(inputs: readonly string[]) {
  const answers = await Promise.all(inputs.map(single))
  const all = answers.map((answer, index) => ({ ...answer, index, input: inputs[index] }))
  return {
    verdicts: all.flatMap(each =>
      'verdict' in each ? [{ index: each.index, input: each.input, ...each.verdict }] : [],
    ),
    unresolved: all.filter(each => !('verdict' in each)),
  }
}

describe('a batch', () => {
  test('a batch answers its inputs in the order sent, and says when registers were checked', async () => {
    const { status, body } = await resolve(five)
    expect([status, misfits(body.data)]).toEqual([200, null])
    const { verdicts, unresolved, checked } = body.data
    expect(verdicts.map(({ verdict }: Verdict) => verdict)).toEqual([
      'licensed',
      'blocklisted',
      'mixed',
      'no_record',
      'no_record',
    ])
    expect(verdicts[3].mentioned_by).toMatchObject([{ listed_as: five[3], is_asked: true }])
    expect({ verdicts, unresolved }).toEqual(await singles(five))
    expect(checked.as_of).toBe(body.timestamp)
  })

  test('a batch answers each domain like a single request, and charges distinct domains', async () => {
    const host = fc.constantFrom(...stored, ...five, 't.me', 't.me/casino/vip/1', 'awkward.example')
    const spelling = fc.constantFrom(
      (name: string) => name,
      (name: string) => `https://www.${name}/casino?ref=1#top`,
      (name: string) => ` ${name.toUpperCase()}. `,
      (name: string) => `deep.er.${name}:8443`,
      (name: string) => `poker.${name}/lobby`,
    )
    const known = fc.tuple(host, spelling).map(([name, spell]) => spell(name))
    const rejected = fc.constantFrom('', ' ', '10.0.0.1', 'www,casino.example', 'a"\\.b', 'casino', '漢 字')
    const input = fc.oneof(
      { weight: 6, arbitrary: known },
      { weight: 1, arbitrary: rejected },
      { weight: 1, arbitrary: fc.domain() },
      { weight: 1, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) },
    )
    const list = fc
      .tuple(fc.array(input, { minLength: 1, maxLength: 12 }), fc.nat(3))
      .map(([inputs, again]) => [...inputs, ...inputs.slice(0, again)])
    await fc.assert(
      fc.asyncProperty(list, async inputs => {
        const { body, headers } = await resolve(inputs)
        const { verdicts, unresolved, billing } = body.data
        // A single request refuses an empty parameter before it is read as a domain.
        const filled = inputs.map(each => (each === '' ? ' ' : each))
        const expected = await singles(filled)
        const asSent = (each: Verdict) => ({ ...each, input: inputs[each.index] })
        expect({ verdicts, unresolved }).toEqual({
          verdicts: expected.verdicts.map(asSent),
          unresolved: expected.unresolved.map(asSent),
        })
        const distinct = new Set(verdicts.map(({ domain }: Verdict) => domain)).size
        expect([billing.credits_charged, headers.get('x-credits-charged')]).toEqual([distinct, `${distinct}`])
      }),
      { numRuns: 40 },
    )
  })

  test('a batch of 1,000 domains makes one charge, and a usage record without domain names', async () => {
    const buyer = await service.customer({ credits: 1_000 })
    const domains = Array.from({ length: 1_000 }, (_, number) => stored[number] ?? `site-${number}.example`)
    const { status, body, headers } = await resolve(domains, { by: buyer, maxCredits: 1_000 })
    expect([status, body.data.verdicts.length, misfits(body.data)]).toEqual([200, 1_000, null])
    expect(body.data.billing).toEqual({
      returned_count: 1_000,
      credits_per_verdict: 1,
      credits_charged: 1_000,
      billing_reason: 'verdict_delivered',
      max_credits: 1_000,
      page_size: null,
      breakdown: [{ key: 'domain.verdict', units: 1_000, credits_per_unit: 1, credits_charged: 1_000 }],
    })
    expect([body.data.credits_charged, headers.get('x-credits-remaining')]).toEqual([1_000, '0'])
    const { database } = service.service.live
    const entries = await database
      .selectFrom('ledger_entries')
      .innerJoin('accounts', 'accounts.id', 'ledger_entries.account_id')
      .select(['price_key', 'units', 'credits'])
      .where('accounts.account_ref', '=', buyer.accountRef)
      .where('kind', '=', 'charge')
      .execute()
    expect(entries).toEqual([{ price_key: 'domain.verdict', units: 1_000, credits: 1_000 }])
    const records = await recentUsage(service.service.live, buyer.accountRef, new Date())
    expect(records).toMatchObject([
      { endpoint: 'resolve_domains', status: 200, credits: 1_000, request_params: { max_credits: 1_000 } },
    ])
    expect(JSON.stringify(records)).not.toContain('.example')
  })

  test('a batch answers a repeated domain twice, and charges it once', async () => {
    const buyer = await service.customer()
    const { body } = await resolve([five[0], `www.${five[0]}`, five[0]], { by: buyer })
    const { verdicts, billing } = body.data
    expect(verdicts.map(({ index, verdict }: Verdict) => [index, verdict])).toEqual([
      [0, 'licensed'],
      [1, 'licensed'],
      [2, 'licensed'],
    ])
    expect([billing.returned_count, billing.breakdown[0].units, await used(buyer)]).toEqual([3, 1, 1])
  })

  test('a batch with only invalid inputs is 200 and free', async () => {
    const poor = await service.customer({ credits: 0 })
    const { status, body, headers } = await resolve(['', '10.0.0.1', 'co.uk', 'ann@otter.example'], {
      by: poor,
    })
    expect([status, body.data.verdicts, headers.get('x-credits-charged')]).toEqual([200, [], '0'])
    expect(body.data.unresolved).toEqual([
      {
        index: 0,
        input: '',
        code: 'invalid_domain',
        message: 'The value is empty. Send a URL or host with a registrable domain.',
      },
      { index: 1, input: '10.0.0.1', code: 'invalid_domain', message: expect.stringContaining('IP address') },
      { index: 2, input: 'co.uk', code: 'invalid_domain', message: expect.stringContaining('public suffix') },
      {
        index: 3,
        input: 'ann@otter.example',
        code: 'invalid_domain',
        message: expect.stringContaining('mail'),
      },
    ])
    expect(body.data.billing).toMatchObject({ billing_reason: 'no_results', breakdown: [] })
    expect(misfits(body.data)).toBeNull()
  })

  test('a batch finds the listed page of each long URL, also on a shared host', async () => {
    const deep = `${'/abcdef'.repeat(55)}?${'a=1&'.repeat(20)}`
    const inputs = Array.from({ length: 1_000 }, (_, number) =>
      number % 2 === 0 ? `t.me/casino/${number}${deep}` : `poker.morningheron.example/${number}${deep}`,
    )
    const { status, body } = await resolve(inputs)
    expect(status).toBe(200)
    const found = new Set(
      body.data.verdicts.map(({ mentioned_by, domain }: Verdict) =>
        JSON.stringify([domain, mentioned_by.map((each: Verdict) => [each.listed_as, each.is_asked])]),
      ),
    )
    expect([...found]).toEqual([
      '["t.me",[["t.me/casino",true]]]',
      '["morningheron.example",[["poker.morningheron.example",true]]]',
    ])
    expect(body.data.credits_charged).toBe(2)
  })

  test('the text of a batch is the JSON of its schema, whatever characters names contain', async () => {
    const schema = resolveDomains.data.properties.verdicts as unknown as build.AnySchema
    const serialise = build(schema)
    const { text, body } = await resolve([...stored, 'awkward.example', `${awkward}.example`, awkward])
    expect(text).toContain(`"verdicts":${serialise(body.data.verdicts)}`)
    const named = body.data.verdicts.find(({ domain }: Verdict) => domain === 'awkward.example')
    expect(named.company.name).toContain('🦦 </script>')
  })
})

describe('the refusal of a batch', () => {
  test('a batch is refused with 402 if it could cost more than max_credits', async () => {
    const careful = await service.customer({ credits: 10 })
    const { status, body } = await resolve(five, { by: careful, maxCredits: 4 })
    expect([status, body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 5, max_credits: 4 } },
    ])
    expect((await resolve([five[0], five[0]], { by: careful, maxCredits: 1 })).status).toBe(200)
    expect(await used(careful)).toBe(1)
  })

  test('a batch above the balance is a 429: nothing is delivered or charged', async () => {
    const poor = await service.customer({ credits: 4 })
    const { status, body, headers } = await resolve(five, { by: poor })
    expect([status, body.data, body.errors]).toEqual([
      429,
      undefined,
      { code: 'quota_exceeded', details: { required: 5, granted: 4, used: 0, reserved: 0 } },
    ])
    expect([headers.get('x-should-retry'), await used(poor)]).toEqual(['false', 0])
  })

  test.each([
    ['no list', '{}', 'domains'],
    ['an empty list', '{"domains":[]}', 'domains'],
    ['a text', '{"domains":"luckyotter.example"}', 'domains'],
    ['a number in the list', '{"domains":[7]}', 'domains.0'],
    ['null in the list', '{"domains":["a.example",null]}', 'domains.1'],
    ['a list in the list', '{"domains":[["a.example"]]}', 'domains.0'],
    ['1,001 domains', JSON.stringify({ domains: Array(1_001).fill('a.example') }), 'domains'],
    ['2,049 characters', JSON.stringify({ domains: ['a.example', 'x'.repeat(2_049)] }), 'domains.1'],
    ['max_credits as text', '{"domains":["a.example"],"max_credits":"1"}', 'max_credits'],
    ['a lone surrogate', '{"domains":["\\ud800.example"]}', 'domains.0'],
  ])('a batch is refused with 422 for %s', async (_, sent, parameter) => {
    const { status, body } = await post(sent)
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([
      422,
      'unprocessable_body',
      parameter,
    ])
  })

  test('a refused batch says what is accepted, also if the list is missing', async () => {
    const takes = 'a list of 1 to 1000 values, each text of up to 2048 characters'
    const empty = await post('{"domains":[]}')
    expect(empty.body.message).toBe(`"domains" must be ${takes}.`)
    const missing = await post('{}')
    expect(missing.body.message).toBe('"domains" is required.')
    expect(missing.body.errors.details).toEqual({ parameter: 'domains', takes })
  })

  test('a batch with unknown members, an unknown parameter, no body or invalid JSON is a 400', async () => {
    for (const [sent, code] of [
      ['{"domain":["a.example"]}', 'unknown_parameter'],
      ['{"domains":["a.example"],"max_credit":1}', 'unknown_parameter'],
      ['', 'missing_parameter'],
      ['{"domains":', 'invalid_json'],
    ] as const) {
      const { status, body } = await post(sent)
      expect([sent, status, body.errors.code]).toEqual([sent, 400, code])
    }
    const headers = { 'content-type': 'application/json' }
    const query = await customer.ask(`${path}?include[]=geo`, { method: 'POST', headers, body: '{}' })
    expect([query.status, query.body.errors.code]).toEqual([400, 'unknown_parameter'])
    expect((await post('{"domain":1}')).body.errors.details.did_you_mean).toBe('domains')
  })

  test("a batch with an invalid Idempotency-Key is a 400, and with another batch's key a 409", async () => {
    expect((await resolve(five, { key: 'two words' })).body.errors.code).toBe('invalid_parameter')
    const key = 'list'
    expect((await resolve(five, { key })).status).toBe(200)
    for (const other of [
      five.toReversed(),
      five.map(each => each.toUpperCase()),
      [...five, five[0]],
      five.slice(1),
    ]) {
      const { status, body } = await resolve(other, { key })
      expect([status, body.errors.code]).toEqual([409, 'idempotency_key_reused'])
    }
  })

  test('a batch over 512 KiB is refused with 413, as are other bodies over 64 KiB', async () => {
    const bodyOf = (bytes: number) => {
      const head = '{"domains":["luckyotter.example"]'
      return `${head}${' '.repeat(bytes - head.length - 1)}}`
    }
    expect((await post(bodyOf(512 * 1024))).status).toBe(200)
    const { status, body } = await post(bodyOf(512 * 1024 + 1))
    expect([status, body.errors.code, body.errors.details]).toEqual([
      413,
      'body_too_large',
      { body_bytes_max: 524_288 },
    ])
  })

  test('a batch that is not JSON is refused with 415, and a batch without a key with 401', async () => {
    const body = JSON.stringify({ domains: five })
    const sent = { method: 'POST', body, headers: { 'content-type': 'text/plain' } }
    expect((await customer.ask(path, sent)).body.errors.code).toBe('unsupported_media_type')
    expect((await service.ask(path, sent)).status).toBe(401)
  })

  test('a refused batch leaves no trace of its domains in the usage record', async () => {
    const curious = await service.customer({ credits: 1 })
    const planted = 'planted.example'
    for (const body of [
      JSON.stringify({ domains: [planted, 'other.example'] }),
      JSON.stringify({ domains: [planted, 7], max_credits: 2 }),
      JSON.stringify({ domain: planted, [planted]: 1 }),
      JSON.stringify([planted]),
      JSON.stringify(planted),
    ])
      expect((await post(body, { by: curious })).status).toBeGreaterThanOrEqual(400)
    await service.service.usage.flush()
    const records = await recentUsage(service.service.live, curious.accountRef, new Date())
    expect(records.map(({ request_params }) => request_params).reverse()).toEqual([
      {},
      { max_credits: 2 },
      {},
      {},
      {},
    ])
  })
})

test('a retried batch returns the same bytes and is charged once, also if sent in parallel', async () => {
  const buyer = await service.customer({ credits: 5 })
  const first = await Promise.all(Array.from({ length: 4 }, () => resolve(five, { by: buyer, key: 'one' })))
  const later = await resolve(five, { by: buyer, key: 'one' })
  expect(new Set([...first, later].map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect([later.headers.get('idempotency-replayed'), await used(buyer)]).toEqual(['true', 5])
})

test('the demo key resolves the documented batch, and no other batch', async () => {
  const demo = { ...customer, ask: (url: string, ask = {}) => service.ask(url, { key: demoKey, ...ask }) }
  const { status, body } = await resolve(five, { by: demo, maxCredits: 5 })
  expect([status, body.data.credits_charged, body.data.billing]).toMatchObject([
    200,
    0,
    { billing_reason: 'simulated', credits_charged: 5 },
  ])
  const other = await resolve(five.slice(1), { by: demo })
  expect([other.status, other.body.errors.code]).toEqual([403, 'demo_key_restricted'])
  expect(other.body.errors.details.curl[0]).toContain(`-d '{"domains":["luckyotter.example",`)
})
