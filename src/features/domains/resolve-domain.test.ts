import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type DemoRecord, expectedVerdicts, readDemoRecords } from '../../../test/harness/demo-world.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { observationSections } from './schemas.ts'

const path = '/v1/domains/resolve'
const otter = 'luckyotter.example'
const everything = observationSections.map(section => `&include[]=${section}`).join('')

let service: TestService
let customer: Customer
let records: DemoRecord[]
const misfits = declaredData('resolve_domain')
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 1_000_000 })
  records = await readDemoRecords()
})
afterAll(() => service.close())

function resolve(domain: string, more = '', by: Customer = customer): Promise<Response> {
  return by.ask(`${path}?domain=${encodeURIComponent(domain)}${more}`)
}

async function used(by: Customer): Promise<number> {
  return (await by.ask('/v1/account')).body.data.credits_used
}

describe('a verdict', () => {
  test('a licensed verdict names each jurisdiction, its license number, and the licensee', async () => {
    const { data } = (await resolve(otter)).body
    expect(data).toMatchObject({ domain: otter, verdict: 'licensed', blocked_by: [] })
    expect(new Set(data.licensed_by.map((each: { geo: string }) => each.geo)).size).toBe(2)
    expect(data.company).toEqual({
      company_ref: expect.stringMatching(/^co_\w{20}$/),
      name: expect.any(String),
    })
  })

  test('a blocklisted verdict names each regulator that lists the site, and no company', async () => {
    const { data } = (await resolve('redkite-casino.example')).body
    expect(data).toMatchObject({ verdict: 'blocklisted', licensed_by: [], company: null })
    expect(data.blocked_by).toHaveLength(3)
  })

  test('a mixed verdict names both jurisdictions and regulators', async () => {
    const { data } = (await resolve('twofaced.example')).body
    expect(data.verdict).toBe('mixed')
    expect([data.licensed_by.length > 0, data.blocked_by.length > 0]).toEqual([true, true])
  })

  test('the verdict no_record of an unknown domain is delivered and charged', async () => {
    const { status, body } = await resolve('neverheard.example')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      verdict: 'no_record',
      licensed_by: [],
      blocked_by: [],
      company: null,
      credits_charged: 1,
    })
  })

  test('the verdict of every demo domain follows from its records and matches the schema', async () => {
    const expected = expectedVerdicts(records)
    expect(new Set([...expected.values()].map(each => each.verdict)).size).toBeGreaterThanOrEqual(3)
    await Promise.all(
      [...expected].map(async ([domain, verdict]) => {
        const { body } = await resolve(domain, everything)
        expect(body.data, domain).toMatchObject(verdict)
        expect(misfits(body.data), domain).toBeNull()
      }),
    )
  })

  test('blocked_by says which host is listed, and since when', async () => {
    const { data } = (await resolve('redkite-casino.example')).body
    expect(data.blocked_by).toContainEqual({
      geo: 'poland',
      listed_as: 'redkite-casino.example',
      scope: 'domain',
      first_listed_at: '2024-03-18T04:30:00.000Z',
    })
    expect(data.mentioned_by).toEqual([])
  })

  test('a listed host below a site that is not listed is a mention, and changes no verdict', async () => {
    const mentions = async (sent: string) => {
      const { data } = (await resolve(sent)).body
      expect([data.domain, data.verdict, data.blocked_by]).toEqual(['morningheron.example', 'no_record', []])
      return data.mentioned_by
    }
    const listing = {
      geo: 'italy',
      listed_as: 'poker.morningheron.example',
      scope: 'host',
      first_listed_at: '2025-07-08T04:30:00.000Z',
    }
    expect(await mentions('https://morningheron.example/news')).toEqual([{ ...listing, is_asked: false }])
    expect(await mentions('POKER.morningheron.example/lobby')).toEqual([{ ...listing, is_asked: true }])
    expect(await mentions('m.poker.morningheron.example')).toEqual([{ ...listing, is_asked: true }])
  })

  test('a verdict says which registers were checked, and when', async () => {
    const { body } = await resolve('neverheard.example')
    const { registers, blocklists, oldest_snapshot_at: oldest, as_of: asOf } = body.data.checked
    expect([Number.isInteger(registers), Number.isInteger(blocklists)]).toEqual([true, true])
    expect(oldest === null || Date.parse(oldest) <= Date.parse(asOf)).toBe(true)
    expect(asOf).toBe(body.timestamp)
  })
})

describe('normalisation to the registrable domain', () => {
  test('any spelling of a URL or host is normalised to its registrable domain', async () => {
    const spellings = [
      'LuckyOtter.Example',
      'www.luckyotter.example',
      'https://www.luckyotter.example/casino?ref=1#top',
      'http://luckyotter.example:8080',
      'luckyotter.example.',
      'deep.er.luckyotter.example',
      '//luckyotter.example/path',
      'https://user:pass@luckyotter.example/',
      '  luckyotter.example  ',
      'luckyotter\u3002example',
      'ｌｕｃｋｙｏｔｔｅｒ.example',
    ]
    const found: unknown[] = []
    for (const written of spellings) {
      const { domain, verdict } = (await resolve(written)).body.data
      found.push([written, domain, verdict])
    }
    expect(found).toEqual(spellings.map(written => [written, otter, 'licensed']))
  })

  test.each([
    ['Glücksfall.example', 'xn--glcksfall-r9a.example'],
    ['xn--glcksfall-r9a.example', 'xn--glcksfall-r9a.example'],
    ['www.bet.co.uk', 'bet.co.uk'],
    ['casino.blogspot.com', 'casino.blogspot.com'],
    ['www.casino.blogspot.com', 'casino.blogspot.com'],
  ])('the domain of %s is %s', async (written, domain) => {
    expect((await resolve(written)).body.data.domain).toBe(domain)
  })

  test('an invalid_domain is rejected with the reason and without a charge', async () => {
    const rejected = [
      ['10.0.0.1', 'ip_address'],
      ['http://[::1]/', 'ip_address'],
      ['0x7f.1', 'ip_address'],
      ['2130706433', 'ip_address'],
      ['localhost', 'no_dot'],
      ['casino.localhost', 'unknown_suffix'],
      ['mailto:ann@luckyotter.example', 'mail_address'],
      ['ann@luckyotter.example', 'mail_address'],
      ['ftp://luckyotter.example', 'other_scheme'],
      ['javascript:alert(1)', 'other_scheme'],
      ['kasyno', 'no_dot'],
      ['casino.comua', 'unknown_suffix'],
      ['www,casino.example', 'comma_for_dot'],
      ['one.example,two.example', 'several_sites'],
      ['casino', 'bare_suffix'],
      ['co.uk', 'bare_suffix'],
      ['under_score.example', 'underscore'],
      [`${'x'.repeat(64)}.example`, 'too_long'],
      [`${'a.'.repeat(130)}example`, 'too_long'],
      ['two words.example', 'blank_inside'],
      ['https://', 'not_a_domain'],
      ['   ', 'empty'],
      ['-lucky.example', 'edge_hyphen'],
      ['a..example', 'empty_label'],
      ['casino.example\0', 'forbidden_character'],
    ] as const
    const careful = await service.customer()
    for (const [written, reason] of rejected) {
      const { status, body } = await resolve(written, '', careful)
      expect([written, status, body.errors.code]).toEqual([written, 400, 'invalid_domain'])
      expect([written, body.errors.details]).toMatchObject([written, { parameter: 'domain', reason }])
    }
    expect(await used(careful)).toBe(0)
    expect((await resolve('www,casino.example', '', careful)).body.message).toBe(
      'The value has a comma in place of a dot. Send a URL or host with a registrable domain.',
    )
  })
})

describe('the bill of a verdict', () => {
  test('a verdict costs 1 credit, in data, billing, headers and balance', async () => {
    const buyer = await service.customer({ credits: 10 })
    const { body, headers } = await resolve(otter, '&max_credits=3', buyer)
    expect(body.data.billing).toEqual({
      returned_count: 1,
      credits_per_verdict: 1,
      credits_charged: 1,
      billing_reason: 'verdict_delivered',
      max_credits: 3,
      page_size: null,
      breakdown: [{ key: 'domain.verdict', units: 1, credits_per_unit: 1, credits_charged: 1 }],
    })
    expect([headers.get('x-credits-charged'), headers.get('x-credits-remaining')]).toEqual(['1', '9'])
    expect(await used(buyer)).toBe(1)
  })

  test.each([
    ['', 0, 1],
    ['&include[]=geo&include[]=logos', 0, 1],
    ['&include[]=operator_launch_profile', 5, 6],
    ['&include[]=operator_launch_profile', 0, 6],
  ])(
    'a verdict with %j is a 402 at max_credits=%i, because it could cost %i',
    async (more, ceiling, quoted) => {
      const careful = await service.customer({ credits: 10 })
      const { status, body, headers } = await resolve(otter, `${more}&max_credits=${ceiling}`, careful)
      expect([status, body.errors]).toEqual([
        402,
        { code: 'max_credits_exceeded', details: { quoted_credits: quoted, max_credits: ceiling } },
      ])
      expect(body.message).toContain(quoted === 1 ? 'could cost 1 credit;' : `could cost ${quoted} credits;`)
      expect([headers.get('x-should-retry'), headers.get('retry-after')]).toEqual(['false', null])
      expect(await used(careful)).toBe(0)
      const bought = await resolve(otter, `${more}&max_credits=${quoted}`, careful)
      expect(bought.body.data.credits_charged).toBe(quoted)
    },
  )

  test.each(['', '&include[]=logos&include[]=platform_history', '&include[]=operator_launch_profile'])(
    'a verdict with %j does not include a check of the site in its quote',
    async more => {
      const quoted = more.includes('profile') ? 6 : 1
      const asked = `${more}&max_age_days=0&max_credits=${quoted}`
      const { status, body } = await resolve('neverheard.example', asked)
      expect([status, body.data?.credits_charged, body.data?.billing.refresh]).toEqual([200, 1, undefined])
      expect(body.data.observations?.enrichment_run ?? null).toBeNull()
    },
  )

  test('a retry at balance 0 returns the same bytes, and with other parameters a 409', async () => {
    const buyer = await service.customer({ credits: 6 })
    const keyed = (more: string) =>
      buyer.ask(`${path}?domain=${otter}${more}`, { headers: { 'idempotency-key': 'one-delivery' } })
    const first = await keyed(everything)
    const poor = await resolve(otter, '', buyer)
    expect(poor.body.errors).toEqual({
      code: 'quota_exceeded',
      details: { required: 1, granted: 6, used: 6, reserved: 0 },
    })
    expect([poor.status, poor.headers.get('retry-after'), poor.headers.get('x-should-retry')]).toEqual([
      429,
      null,
      'false',
    ])
    const replayed = await keyed(everything)
    expect([replayed.status, replayed.text]).toEqual([200, first.text])
    expect((await keyed('')).body.errors.code).toBe('idempotency_key_reused')
    expect(await used(buyer)).toBe(6)
  })
})
