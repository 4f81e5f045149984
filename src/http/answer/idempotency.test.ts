import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { dayMs } from '../../core/time.ts'
import { grantCredits } from '../../features/account/index.ts'
import { purgeOld } from '../../metering/housekeeping.ts'

const resolve = '/v1/domains/resolve'
const one = `${resolve}?domain=casino.example`

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const keyed = (customer: Customer, path: string, key = 'one-key') =>
  customer.ask(path, { headers: { 'idempotency-key': key } })
const isReplay = ({ headers }: Response) => headers.get('idempotency-replayed') === 'true'

async function used(customer: Customer): Promise<number> {
  return (await customer.ask('/v1/account')).body.data.credits_used
}

describe('an exact replay', () => {
  test('an exact replay is byte for byte the first answer, free, and marked as a replay', async () => {
    const customer = await service.customer({ credits: 10 })
    const first = await keyed(customer, one)
    const second = await keyed(customer, one)
    expect([isReplay(first), isReplay(second)]).toEqual([false, true])
    expect(second.text).toBe(first.text)
    expect([first, second].map(({ headers }) => headers.get('x-credits-charged'))).toEqual(['1', '0'])
    expect([first, second].map(({ headers }) => headers.get('x-credits-remaining'))).toEqual(['9', '9'])
    expect(await used(customer)).toBe(1)
  })

  test('a replay of a long answer has the same bytes as the first answer, with any characters', async () => {
    const company = { company_name: 'Žralok 漢字 🎰 "quoted" \\ \u2028', subject_kind: 'legal_entity' }
    const { database } = service.service.live
    const { id: company_id } = await database
      .insertInto('companies')
      .values({
        ...company,
        company_ref: 'com_long',
        brands: Array.from({ length: 400 }, (_, number) => `Štěstí 🎲 ${number} \u0001`),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database
      .insertInto('company_identities')
      .values({ stream: 'import', identity_key: 'long', company_id })
      .execute()
    const customer = await service.customer()
    const path = '/v1/companies/resolve?company_ref=com_long'
    const bytes = async (key: string) => {
      const headers = { 'x-api-key': customer.key, 'idempotency-key': key, 'accept-encoding': 'identity' }
      const answer = await fetch(`${service.url}${path}`, { headers })
      return { answer, body: Buffer.from(await answer.arrayBuffer()) }
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => bytes('long')))
    answers.push(await bytes('long'))
    const [first] = answers as [(typeof answers)[number]]
    expect(first.body.length).toBeGreaterThan(4_096)
    expect(JSON.parse(first.body.toString()).data.companies[0].brands).toContain('Štěstí 🎲 399 \u0001')
    for (const { answer, body } of answers) {
      expect(body.equals(first.body)).toBe(true)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('content-length')).toBe(String(body.length))
    }
    expect(await used(customer)).toBe(3)
  })

  test('an exact replay is answered even when the balance is 0', async () => {
    const customer = await service.customer({ credits: 1 })
    const first = await keyed(customer, one)
    expect((await customer.ask(one)).status).toBe(429)
    const replayed = await keyed(customer, one)
    expect([replayed.status, replayed.text]).toEqual([200, first.text])
    expect(replayed.headers.get('x-credits-remaining')).toBe('0')
  })

  test('of 50 simultaneous requests with one key, one is charged, and all get the same body', async () => {
    const customer = await service.customer()
    const answers = await Promise.all(Array.from({ length: 50 }, () => keyed(customer, one)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(answer => !isReplay(answer))).toHaveLength(1)
    expect(await used(customer)).toBe(1)
  })

  test('an answer that was free can be replayed, too', async () => {
    const customer = await service.customer({ credits: 0 })
    const nothing = '/v1/domains/search?verdict=mixed&geo=peru'
    const [first, second] = [await keyed(customer, nothing), await keyed(customer, nothing)]
    expect([first.body.data.credits_charged, isReplay(second), second.text]).toEqual([0, true, first.text])
  })

  test('the same idempotency key of another account is a different request', async () => {
    const [mine, yours] = await Promise.all([service.customer(), service.customer()])
    await keyed(mine, one)
    const answer = await keyed(yours, `${resolve}?domain=other.example`)
    expect([answer.status, isReplay(answer)]).toEqual([200, false])
  })

  test('an answer can be replayed for 7 days, and afterwards its key can be used again', async () => {
    const customer = await service.customer()
    const { database } = service.service.live
    const later = (days: number) => new Date(Date.now() + days * dayMs)
    await keyed(customer, one)
    await purgeOld(database, later(6.9))
    expect(isReplay(await keyed(customer, one))).toBe(true)
    await purgeOld(database, later(7.1))
    expect(isReplay(await keyed(customer, one))).toBe(false)
    expect(await used(customer)).toBe(2)
  })
})

describe('the comparison of requests with one key', () => {
  test.each([
    [
      'another spelling of the domain',
      one,
      `${resolve}?domain=${encodeURIComponent('HTTPS://www.Casino.example:443/a?b#c')}`,
    ],
    ['an IDN and its punycode', `${resolve}?domain=köln.example`, `${resolve}?domain=xn--kln-sna.example`],
    [
      'another order of parameters',
      `${one}&max_age_days=3&max_credits=9`,
      `${resolve}?max_credits=9&max_age_days=3&domain=casino.example`,
    ],
    [
      'another order of include[]',
      `${one}&include[]=geo&include[]=logos`,
      `${one}&include[]=logos&include[]=geo`,
    ],
    ['brackets percent-encoded', `${one}&include[]=geo`, `${one}&include%5B%5D=geo`],
    [
      'a default written out',
      '/v1/domains/search?verdict=mixed',
      '/v1/domains/search?per_page=100&verdict=mixed&page=1',
    ],
    ['leading zeros', `${one}&max_credits=7`, `${one}&max_credits=007`],
  ])('a request that differs only by %s is a replay', async (_, path, again) => {
    const customer = await service.customer()
    const first = await keyed(customer, path)
    const second = await keyed(customer, again)
    expect([first.status, isReplay(second), second.text]).toEqual([200, true, first.text])
  })

  test.each([
    ['another domain', `${resolve}?domain=other.example`],
    ['a ceiling', `${one}&max_credits=9`],
    ['a section', `${one}&include[]=geo`],
    ['an age', `${one}&max_age_days=1`],
    ['another operation', '/v1/domains/search?verdict=mixed'],
  ])(
    'a request that differs by %s is a free idempotency_key_reused, and the first answer stays',
    async (_, other) => {
      const customer = await service.customer()
      const first = await keyed(customer, one)
      const { status, body } = await keyed(customer, other)
      expect([status, body.errors]).toEqual([
        409,
        { code: 'idempotency_key_reused', details: { header: 'Idempotency-Key' } },
      ])
      expect((await keyed(customer, one)).text).toBe(first.text)
      expect(await used(customer)).toBe(1)
    },
  )

  test('of simultaneous different requests with one key, one is served, all others are refused', async () => {
    const customer = await service.customer()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => keyed(customer, `${resolve}?domain=site-${index}.example`)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await used(customer)).toBe(1)
  })
})

describe('a failure with a key', () => {
  test.each([
    ['invalid_domain', `${resolve}?domain=10.0.0.1`],
    ['unknown_include', `${one}&include[]=everything`],
    ['unknown_parameter', `${one}&max_credit=1`],
    ['max_credits_exceeded', `${one}&max_credits=0`],
  ])('after the failure %s the same idempotency key can be used for another request', async (code, path) => {
    const customer = await service.customer()
    expect((await keyed(customer, path)).body.errors.code).toBe(code)
    const answer = await keyed(customer, one)
    expect([answer.status, isReplay(answer)]).toEqual([200, false])
  })

  test('after quota_exceeded the same request with its key succeeds once there are credits', async () => {
    const customer = await service.customer({ credits: 0 })
    expect((await keyed(customer, one)).body.errors.code).toBe('quota_exceeded')
    await grantCredits(service.service.live, customer.accountRef, { credits: 1, note: 'paid' })
    const answer = await keyed(customer, one)
    expect([answer.status, isReplay(answer), await used(customer)]).toEqual([200, false, 1])
  })
})

describe('the form of an idempotency key', () => {
  test.each(['k', '~!@#$%^&*()_+{}|:"<>?', 'k'.repeat(255), '0b7e5e0e-5f0b-4bd2-9cf4-1f2b6e0f5b5e'])(
    'the idempotency key %s is accepted',
    async key => {
      const customer = await service.customer()
      expect((await keyed(customer, one, key)).status).toBe(200)
      expect(isReplay(await keyed(customer, one, key))).toBe(true)
    },
  )

  test.each(['', 'k'.repeat(256), 'two words', 'tab\there', 'schlüssel'])(
    'the idempotency key %j is refused before anything is charged',
    async key => {
      const customer = await service.customer()
      const { status, body } = await keyed(customer, one, key)
      expect([status, body.errors.code, body.errors.details.parameter]).toEqual([
        400,
        'invalid_parameter',
        'Idempotency-Key',
      ])
      expect(await used(customer)).toBe(0)
    },
  )

  test('a free operation ignores Idempotency-Key, whatever its form', async () => {
    const customer = await service.customer()
    await keyed(customer, one, 'shared')
    for (const key of ['shared', 'no key at all', 'k'.repeat(300)]) {
      const { status, headers } = await keyed(customer, '/v1/account', key)
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, null])
    }
    expect(await used(customer)).toBe(1)
  })
})
