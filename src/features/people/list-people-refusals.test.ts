import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import type { Customer, Response } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { creditsUsed, type PeopleService, startPeopleService } from './fixture.ts'

const now = new Date('2026-11-01T12:00:00Z')

let service: PeopleService
let customer: Customer
beforeAll(async () => {
  service = await startPeopleService({ now: () => now, world: 'demo' })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

const namesOf = (contacts: readonly { name: string }[]) => contacts.map(contact => contact.name)
const refused = ({ status, body }: Response) => [status, body.errors.code]

describe('rejected requests for people', () => {
  const ask = (query: string, who = customer) => service.people(who, 'ottermoor', query)

  test('400: invalid parameters of a request for people are rejected', async () => {
    const rows: [query: string, code: string][] = [
      ['role=', 'invalid_parameter'],
      ['role=x', 'invalid_parameter'],
      ['role=%25%25%25', 'invalid_parameter'],
      ['role=ceo,,cto', 'invalid_parameter'],
      ['role=ceo OR ', 'invalid_parameter'],
      [`role=${'a'.repeat(201)}`, 'invalid_parameter'],
      [`role=${Array.from({ length: 21 }, (_, index) => `a${index}`).join(',')}`, 'invalid_parameter'],
      ['role=ceo&role=cto', 'invalid_parameter'],
      ['limit=0', 'invalid_parameter'],
      ['limit=26', 'invalid_parameter'],
      ['limit=many', 'invalid_parameter'],
      ['max_age_days=-1', 'invalid_parameter'],
      ['max_age_days=366', 'invalid_parameter'],
      ['count_only=yes', 'invalid_parameter'],
      ['max_credits=-1', 'invalid_parameter'],
      ['rol=ceo', 'unknown_parameter'],
    ]
    const answers = await Promise.all(rows.map(async ([query]) => [query, refused(await ask(query))]))
    expect(answers).toEqual(rows.map(([query, code]) => [query, [400, code]]))
  })

  test('400: a company_ref of more than 64 characters is rejected', async () => {
    expect(refused(await customer.ask(`/v1/companies/${'x'.repeat(65)}/people`))).toEqual([
      400,
      'invalid_parameter',
    ])
  })

  test('401: a request for people needs a key', async () => {
    expect((await service.ask('/v1/companies/co_x/people')).status).toBe(401)
  })

  test.each(['free', 'starter'] as const)(
    'plan_upgrade_required: the plan %s has no people, even for an unknown Company',
    async plan => {
      const poor = await service.customer({ plan })
      const { status, body } = await ask('limit=1', poor)
      expect([status, body.errors]).toEqual([
        402,
        {
          code: 'plan_upgrade_required',
          details: { feature: 'people', current_plan: plan, required_plan: 'growth' },
        },
      ])
      expect(body.message).toBe(
        `Your plan "${plan}" does not include the feature "people"; it needs the plan "growth".`,
      )
      expect(refused(await poor.ask('/v1/companies/co_nobody/people'))).toEqual([
        402,
        'plan_upgrade_required',
      ])
      expect(await creditsUsed(poor)).toBe(0)
    },
  )

  test('402: max_credits below the price of at most `limit` matching people is rejected', async () => {
    const { status, body } = await ask('role=compliance,payments&max_credits=17')
    expect([status, body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 18, max_credits: 17 } },
    ])
    for (const query of ['role=compliance,payments&max_credits=18', 'limit=1&max_credits=9'])
      expect((await ask(query)).status, query).toBe(200)
    expect((await ask('count_only=true&max_credits=0')).status).toBe(200)
  })

  test.each(['co_00000000000000000000', 'x', 'ottermoor', '%F0%9F%8E%B0', "'; drop table contacts --"])(
    '404: people of an unknown ref are not found: %s',
    async ref => {
      const answer = await customer.ask(`/v1/companies/${ref}/people`)
      expect(refused(answer)).toEqual([404, 'not_found'])
      expect(refused(await customer.ask(`/v1/companies/${ref}/people?count_only=true`))).toEqual([
        404,
        'not_found',
      ])
    },
  )

  test('429: a balance below the price of the contacts is rejected, and a lower limit succeeds', async () => {
    const poor = await service.customer({ credits: 10 })
    const short = await ask('limit=2', poor)
    expect(refused(short)).toEqual([429, 'quota_exceeded'])
    expect(short.body.errors.details).toMatchObject({ required: 18 })
    expect(await creditsUsed(poor)).toBe(0)
    expect((await ask('limit=1', poor)).status).toBe(200)
    expect(await creditsUsed(poor)).toBe(9)
  })

  test('503: a request for people fails if the contacts are locked for too long', async () => {
    await withClient(service.database.connection, async client => {
      await client.query('begin; lock table contacts in access exclusive mode')
      const { status, body, headers } = await ask('limit=1')
      expect([status, body.errors.code]).toEqual([503, 'service_unavailable'])
      expect(headers.get('retry-after')).not.toBeNull()
      await client.query('rollback')
    })
  })
})

describe('an Idempotency-Key of a request for people', () => {
  test('a retry with equal filters in any spelling is free, and other filters are a 409', async () => {
    const headers = { 'idempotency-key': 'people-1' }
    const ask = (query: string) => service.people(customer, 'ottermoor', query, headers)
    const first = await ask('role=ceo,cto')
    const used = await creditsUsed(customer)
    for (const query of ['role=ceo,cto', 'role=CTO OR CEO', 'role=cto%2C ceo&limit=10&max_age_days=365']) {
      const again = await ask(query)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
    expect(await creditsUsed(customer)).toBe(used)
    for (const query of ['role=ceo', 'role=ceo,cto&limit=9', 'role=ceo,cto&count_only=true'])
      expect(refused(await ask(query))).toEqual([409, 'idempotency_key_reused'])
  })

  test('an Idempotency-Key is separate for each account, and a replay checks no plan', async () => {
    const other = await service.customer()
    const headers = { 'idempotency-key': 'people-2' }
    await service.people(customer, 'ottermoor', 'limit=1', headers)
    await service.people(other, 'ottermoor', 'limit=1', headers)
    expect(await creditsUsed(other)).toBe(9)
    await sql`update accounts set plan = 'free' where account_ref = ${other.accountRef}`.execute(
      service.service.live.database,
    )
    const replayed = await service.people(other, 'ottermoor', 'limit=1', headers)
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('people with the demo key', () => {
  const ref = 'co_d01f236ab1748d78740a'
  const demo = (path: string) => service.ask(path, { key: demoKey })

  test('the demo key returns the people of one Company with a fixed ref', async () => {
    const { status, body } = await demo(`/v1/companies/${ref}/people?limit=3`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      company_ref: ref,
      demo: true,
      credits_charged: 0,
      billing: { returned_count: 3, credits_charged: 27, billing_reason: 'simulated' },
    })
    expect(namesOf(body.data.contacts)).toEqual([
      'Ottilie Weirstone',
      'Bertram Sedgeley',
      'Philippa Millrace',
    ])
    expect(body.data.contacts[0].contact_ref).toMatch(/^con_[0-9a-f]{20}$/)
  })

  test('the demo key rejects every other request for people, and lists working templates', async () => {
    const other = await service.refOf('pebblepike')
    for (const path of [`/v1/companies/${other}/people?limit=3`, `/v1/companies/${ref}/people`]) {
      const { status, body } = await demo(path)
      expect([status, body.errors.code]).toEqual([403, 'demo_key_restricted'])
      for (const url of body.errors.details.templates)
        expect((await demo(url.replace('http://baize.test', ''))).status, url).toBe(200)
    }
  })
})
