import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { networkAllowing, startTestServer, type TestServer } from '../../../packages/outbound/fixture.ts'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { openSources } from '../../instance/open-sources.ts'
import { creditsUsed, type Line, type PeopleService, person, startPeopleService } from './fixture.ts'
import { suppressPerson } from './index.ts'

const moment = new Date('2026-11-20T08:00:00Z')
const misfits = declaredData('list_people')
const old = { collected_at: '2025-01-01T00:00:00Z', email: 'ann@old.example' }

let service: PeopleService
let source: TestServer
let customer: Customer
let companies = 0
let acme: string
let site: string
beforeAll(async () => {
  source = await startTestServer()
  const observation = { firmographicsUrl: null, contactsUrl: `${source.url}/people/{domain}` }
  const settings = { baseUrl: 'http://baize.test', network: networkAllowing(source.host), observation }
  service = await startPeopleService({
    now: () => moment,
    sources: live => openSources(settings, live, () => moment),
  })
})
beforeEach(async () => {
  companies += 1
  acme = `acme-${companies}`
  site = `acme${companies}.example`
  customer = await service.customer({ credits: 1_000 })
  await service.load(
    { kind: 'company', key: acme, company_name: `Acme ${companies}` },
    { kind: 'domain', domain: site, company: acme, relation: 'licensee' },
  )
})
afterAll(async () => {
  await service.close()
  await source.close()
})

const answers = (body: unknown, status = 200) =>
  source.answer(`/people/${site}`, response => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
const ann: Line = { name: 'Ann Lee', title: 'CEO', email: 'ann@new.example' }
const bo: Line = {
  name: 'Bo Fox',
  title: 'Head of Payments',
  email: 'bo@new.example',
  source: 'a list',
  country: 'MT',
}

async function people(query = 'max_age_days=30', who = customer, headers: Record<string, string> = {}) {
  const { status, body } = await service.people(who, acme, query, headers)
  expect([status, body.errors]).toEqual([200, undefined])
  expect(misfits(body.data)).toBeNull()
  return body.data
}

const completed = {
  attempted: true,
  status: 'completed',
  reason: null,
  attempted_at: moment.toISOString(),
}
const failed = (reason: string) => ({ ...completed, status: 'failed', reason })

describe('a source of contacts', () => {
  test('the source of contacts is asked if all stored contacts are older than max_age_days', async () => {
    await service.load(person(acme, 'Ann Lee', old))
    answers({ contacts: [ann, bo] })
    const data = await people()
    expect(data.refresh).toEqual(completed)
    expect(data.contacts).toMatchObject([
      { name: 'Ann Lee', email: 'ann@new.example', source: '127.0.0.1', stale: false },
      { name: 'Bo Fox', source: 'a list', country: 'MT', collected_at: moment.toISOString() },
    ])
    expect([data.credits_charged, await creditsUsed(customer)]).toEqual([18, 18])
    const asked = source.requests.length
    const again = await people()
    expect([again.refresh, again.contacts.length, source.requests.length]).toEqual([undefined, 2, asked])
  })

  test('max_age_days=0 asks the source of contacts each time, and returned people are fresh', async () => {
    answers({ contacts: [ann] })
    for (const _ of [1, 2]) {
      const data = await people('max_age_days=0&allow_stale=false')
      expect([data.refresh.status, data.contacts.map(({ name }: Line) => name)]).toEqual([
        'completed',
        ['Ann Lee'],
      ])
    }
  })

  test('people from the source of contacts are fresh on all pages, whatever dates it gives', async () => {
    const dated = { collected_at: '2019-01-01T00:00:00.000Z', last_verified_at: '2020-01-01T00:00:00.000Z' }
    answers({ contacts: [ann, bo].map(contact => ({ ...contact, ...dated })) })
    const query = 'max_age_days=0&allow_stale=false&limit=1'
    const first = await people(query)
    expect(first.contacts).toMatchObject([
      { name: 'Ann Lee', ...dated, fetched_at: moment.toISOString(), stale: false },
    ])
    const second = await people(`${query}&after=${first.next_cursor}`)
    expect(second.contacts).toMatchObject([{ name: 'Bo Fox', stale: false }])
    expect([second.refresh, second.next_cursor, await creditsUsed(customer)]).toEqual([undefined, null, 18])
    const asked = source.requests.length
    expect((await people('max_age_days=1')).contacts).toMatchObject([{ stale: false }, { stale: false }])
    expect(source.requests.length).toBe(asked)
  })

  test('people whom the source of contacts no longer returns become stale', async () => {
    const fetched_at = '2026-11-01T00:00:00Z'
    await service.load(
      person(acme, 'Cy Old', { title: 'Head of Product', email: 'cy@old.example', fetched_at }),
    )
    answers({ contacts: [ann] })
    const contacts = async (query: string) =>
      (await people(query)).contacts.map(({ name, stale }: Line) => [name, stale])
    expect(await contacts('max_age_days=0')).toEqual([
      ['Ann Lee', false],
      ['Cy Old', true],
    ])
    expect(await contacts('max_age_days=0&allow_stale=false')).toEqual([['Ann Lee', false]])
    expect(await contacts('max_age_days=20')).toEqual([
      ['Ann Lee', false],
      ['Cy Old', false],
    ])
  })

  test('the free count of people does not ask the source of contacts', async () => {
    const asked = source.requests.length
    expect(await people('count_only=true&max_age_days=0')).not.toHaveProperty('refresh')
    expect(source.requests.length).toBe(asked)
  })

  test('if the source of contacts fails, stale people are charged, or omitted if declined', async () => {
    await service.load(person(acme, 'Ann Lee', old))
    answers({}, 500)
    const reason = 'source_temporarily_unavailable'
    const taken = await people()
    expect([taken.refresh, taken.contacts[0].stale, taken.credits_charged]).toEqual([failed(reason), true, 9])
    expect(await people('max_age_days=30&allow_stale=false')).toMatchObject({
      available: false,
      reason,
      contacts: [],
      credits_charged: 0,
    })
  })

  test('a source of contacts that does not know the Company resolves nothing', async () => {
    expect(await people()).toMatchObject({
      available: false,
      reason: 'not_cached',
      refresh: failed('not_resolved'),
      credits_charged: 0,
    })
  })

  test.each([
    ['no list', { people: [] }],
    ['a contact without a name', { contacts: [{ email: 'x@new.example' }] }],
    ['a profile that is a script', { contacts: [{ name: 'Ann', linkedin_url: 'javascript:alert(1)' }] }],
    ['an address that is none', { contacts: [{ name: 'Ann', email: 'ann' }] }],
    ['too many', { contacts: Array.from({ length: 501 }, (_, index) => ({ name: `Ann ${index}` })) }],
  ])('an answer of the source of contacts with %s is refused', async (_title, body) => {
    answers(body)
    expect((await people()).refresh).toEqual(failed('source_unavailable'))
  })

  test('a future date from the source of contacts counts as the time of the request', async () => {
    answers({ contacts: [{ ...ann, last_verified_at: '2999-01-01T00:00:00Z' }] })
    expect((await people()).contacts[0].last_verified_at).toBe(moment.toISOString())
  })

  test('a source of contacts does not restore an erased person', async () => {
    await service.load(person(acme, 'Ann Lee', old))
    const erased = { email: 'ann@old.example', reason: 'she asked', now: moment }
    await suppressPerson(service.service.live, erased)
    answers({ contacts: [{ ...ann, name: 'Lee, Ann' }, bo] })
    const data = await people()
    expect(data.contacts.map(({ name }: Line) => name)).toEqual(['Bo Fox'])
  })

  test('the source of contacts is not asked if the balance or max_credits is too low', async () => {
    answers({ contacts: [ann, bo] })
    const asked = source.requests.length
    const poor = await service.customer({ credits: 26 })
    const refused = await service.people(poor, acme, 'max_age_days=0&limit=3')
    expect([refused.status, refused.body.errors.details.required]).toEqual([429, 27])
    const bounded = await service.people(customer, acme, 'max_age_days=0&limit=3&max_credits=26')
    expect([bounded.status, source.requests.length]).toEqual([402, asked])
    const headers = { 'idempotency-key': `people-${companies}` }
    const first = await people('max_age_days=0&limit=2', poor, headers)
    expect(await people('max_age_days=0&limit=2', poor, headers)).toEqual(first)
    const { credits_used, credits_reserved } = (await poor.ask('/v1/account')).body.data
    expect([credits_used, credits_reserved]).toEqual([18, 0])
  })
})

test('max_age_days=0 without a source of contacts reports this, and stored people are stale', async () => {
  const without = await startPeopleService({ now: () => moment })
  try {
    await without.load({ kind: 'company', key: acme, company_name: 'Acme' }, person(acme, 'Ann Lee', old))
    const buyer = await without.customer()
    const none = {
      attempted: false,
      status: 'not_attempted',
      reason: 'source_unavailable',
      attempted_at: null,
    }
    const { data } = (await without.people(buyer, acme, 'max_age_days=0')).body
    expect([data.refresh, data.contacts[0].stale]).toEqual([none, true])
    const declined = (await without.people(buyer, acme, 'max_age_days=0&allow_stale=false')).body.data
    expect(declined).toMatchObject({ available: false, reason: 'source_unavailable', refresh: none })
    expect((await without.people(buyer, acme, 'max_age_days=30')).body.data.refresh).toBeUndefined()
  } finally {
    await without.close()
  }
})
