import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { networkAllowing, startTestServer, type TestServer } from '../../../../packages/outbound/fixture.ts'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { loadLines } from '../../../../test/harness/load-lines.ts'
import type { Customer, Response } from '../../../../test/harness/service.ts'
import { openSources } from '../../../instance/open-sources.ts'
import { type CheckService, startCheckService } from '../../enrichments/fixture.ts'

let service: CheckService
let adapter: TestServer
let customer: Customer
const moment = new Date('2026-11-20T08:00:00Z')
let clock = moment
const minutesLater = (minutes: number) => new Date(moment.getTime() + minutes * 60_000)
const misfits = declaredData('resolve_company')

async function start(waitSeconds: number, hasAdapter = true): Promise<CheckService> {
  const observation = {
    firmographicsUrl: hasAdapter ? `${adapter.url}/firms/{domain}` : null,
    contactsUrl: null,
  }
  const settings = { baseUrl: 'http://baize.test', network: networkAllowing(adapter.host), observation }
  return startCheckService({
    world: 'empty',
    now: () => clock,
    observation: { waitSeconds },
    sources: live => openSources(settings, live, () => moment),
  })
}

beforeAll(async () => {
  adapter = await startTestServer()
  service = await start(240)
})
beforeEach(async () => {
  customer = await service.customer({ credits: 100 })
})
afterEach(async () => {
  clock = moment
  await service.end()
  await service.expectConsistentBooks()
  const { credits_reserved } = await service.account(customer)
  expect(credits_reserved).toBe(0)
})
afterAll(async () => {
  await service.close()
  await adapter.close()
})

let companies = 0
const old = { fetched_at: '2025-01-01T00:00:00Z', name: 'As it was' }

/** Creates a Company with one or several Domains, and returns their names. */
async function newCompany({ stored = false, domains = 1, of = service } = {}): Promise<string[]> {
  companies += 1
  const key = `company ${companies}`
  const names = Array.from({ length: domains }, (_, index) => `site${companies}-${index}.example`)
  await loadLines(of.service.live, [
    { kind: 'company', key, company_name: key },
    ...names.map(domain => ({ kind: 'domain', domain, company: key, relation: 'licensee' })),
    ...names.slice(0, stored ? 1 : 0).map(domain => ({ kind: 'firmographics', domain, ...old })),
  ])
  return names
}

const adapterAnswers = (domain: string, body: unknown, status = 200) =>
  adapter.answer(`/firms/${domain}`, response => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })

type More = { days?: number; stale?: boolean; headers?: Record<string, string>; maxCredits?: number }

function resolve(
  domain: string,
  { days = 0, stale = true, headers = {}, maxCredits }: More = {},
  who = customer,
): Promise<Response> {
  const bound = maxCredits === undefined ? '' : `&max_credits=${maxCredits}`
  const query = `domain=${domain}&include[]=firmographics&max_age_days=${days}&allow_stale_on_error=${stale}`
  return who.ask(`/v1/companies/resolve?${query}${bound}`, { headers })
}

/** Returns the firmographics of the first Company, and the credits charged. */
function shown({ status, body }: Response) {
  expect([status, body.errors]).toEqual([200, undefined])
  expect(misfits(body.data)).toBeNull()
  const results = body.data.companies[0].firmographics
  return { results, result: results[0], credits: body.data.credits_charged }
}

const attempted = { attempted: true, attempted_at: moment.toISOString() }

async function usedBy(who: Customer): Promise<number> {
  return (await service.account(who)).credits_used
}

describe("the operator's source of firmographics", () => {
  test("the operator's source refreshes old firmographics for 12 credits, and they are stored", async () => {
    const [domain] = (await newCompany({ stored: true })) as [string]
    adapterAnswers(domain, { name: 'As it is', employee_count: 12, founded_year: 2012, tax_id: 'ignored' })
    const { result, credits } = shown(await resolve(domain))
    expect(result).toMatchObject({
      available: true,
      cached: false,
      stale: false,
      reason: null,
      fetched_at: moment.toISOString(),
      refresh: { ...attempted, status: 'completed', reason: null },
      data: { name: 'As it is', employee_count: 12, founded_year: 2012, headquarters: null },
    })
    expect(credits).toBe(15)
    expect(await usedBy(customer)).toBe(15)
    const again = shown(await resolve(domain, { days: 1 })).result
    expect([again.cached, again.data.name, again.refresh.status]).toEqual([true, 'As it is', 'not_attempted'])
    await service.open(0)
    const { rows } = await sql<{ runs: number }>`
      select count(*) as runs from register_streams where last_run_at = ${moment}`.execute(
      service.service.live.database,
    )
    expect(rows).toEqual([{ runs: 0 }])
  })

  test("the operator's source is not asked if stored data is recent, or without max_age_days", async () => {
    const [domain] = (await newCompany({ stored: true })) as [string]
    const before = adapter.requests.length
    expect(shown(await resolve(domain, { days: 3_000 })).result.refresh.status).toBe('not_attempted')
    await customer.ask(`/v1/companies/resolve?domain=${domain}&include[]=firmographics`)
    await customer.ask(`/v1/companies/resolve?domain=${domain}&max_age_days=0`)
    expect(adapter.requests.length).toBe(before)
  })

  test("a temporary failure of the operator's source delivers stale data, which is charged", async () => {
    const [domain] = (await newCompany({ stored: true })) as [string]
    adapterAnswers(domain, 'later', 503)
    const before = adapter.requests.length
    const { result, credits } = shown(await resolve(domain))
    const reason = 'source_temporarily_unavailable'
    expect(result).toMatchObject({
      available: true,
      cached: true,
      stale: true,
      reason: null,
      refresh: { ...attempted, status: 'failed', reason },
      data: { name: 'As it was' },
    })
    expect([credits, adapter.requests.length - before]).toEqual([15, 3])
  })

  test("a temporary failure of the operator's source is free if stale data was declined", async () => {
    const [domain] = (await newCompany({ stored: true })) as [string]
    adapterAnswers(domain, 'later', 429)
    const { result, credits } = shown(await resolve(domain, { stale: false }))
    const reason = 'source_temporarily_unavailable'
    expect(result).toMatchObject({
      available: false,
      stale: true,
      reason,
      refresh: { status: 'failed', reason },
      data: null,
    })
    expect([credits, await usedBy(customer)]).toEqual([3, 3])
  })

  test("the operator's source refreshes several Domains, and only delivered ones are charged", async () => {
    const [first, second, third] = (await newCompany({ domains: 3 })) as [string, string, string]
    adapterAnswers(first, { name: 'First' })
    adapterAnswers(second, '', 500)
    adapterAnswers(third, { name: 'Third' })
    const { results, credits } = shown(await resolve(first))
    const statuses = results.map(({ domain, refresh, data }: typeof results) => [
      domain.domain,
      refresh.status,
      data?.name,
    ])
    expect(statuses.sort()).toEqual([
      [first, 'completed', 'First'],
      [second, 'failed', undefined],
      [third, 'completed', 'Third'],
    ])
    expect(credits).toBe(27)
  })

  test('a balance below the ceiling of a refresh is a 429, without a request to the source', async () => {
    const poor = await service.customer({ credits: 14 })
    const [domain] = (await newCompany()) as [string]
    adapterAnswers(domain, { name: 'Never seen' })
    const before = adapter.requests.length
    const refused = await resolve(domain, {}, poor)
    expect([refused.status, refused.body.errors.details]).toEqual([
      429,
      { granted: 14, used: 0, reserved: 0, required: 15 },
    ])
    const bounded = await resolve(domain, { maxCredits: 14 })
    expect([bounded.status, adapter.requests.length - before]).toEqual([402, 0])
  })

  test('a refresh with one idempotency key is charged once, also for two requests at once', async () => {
    const [domain] = (await newCompany()) as [string]
    adapterAnswers(domain, { name: 'Once' })
    const headers = { 'idempotency-key': `once-${domain}` }
    const [one, other] = await Promise.all([resolve(domain, { headers }), resolve(domain, { headers })])
    expect(one.text).toBe(other.text)
    const third = await resolve(domain, { headers })
    expect([third.text, third.headers.get('idempotency-replayed')]).toEqual([one.text, 'true'])
    expect(await usedBy(customer)).toBe(15)
  })

  test('a request to the source is abandoned without a charge when the customer disconnects', async () => {
    const [domain] = (await newCompany()) as [string]
    const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    adapter.answer(`/firms/${domain}`, response => {
      response.on('close', () => closed.resolve())
      arrived.resolve()
    })
    const leaving = new AbortController()
    const path = `/v1/companies/resolve?domain=${domain}&include[]=firmographics&max_age_days=0`
    const left = fetch(`${service.url}${path}`, {
      headers: { 'x-api-key': customer.key },
      signal: leaving.signal,
    })
    await arrived.promise
    leaving.abort()
    await expect(left).rejects.toThrow()
    await closed.promise
    const isReleased = async () => (await service.account(customer)).credits_reserved === 0
    await eventually('the reservation is released', isReleased)
    expect(await usedBy(customer)).toBe(0)
  })

  test.each([
    ['no JSON', '<html>', 'source_unavailable'],
    ['a list', '[]', 'source_unavailable'],
    ['a script as its website', { website: 'javascript:alert(1)' }, 'source_unavailable'],
    ['a year that is none', { name: 'x', founded_year: 'old' }, 'source_unavailable'],
    ['text that nothing can store', '{"name":"a\\u0000b"}', 'source_unavailable'],
    ['too much', JSON.stringify({ name: 'x', description: 'y'.repeat(300_000) }), 'response_too_large'],
  ])(
    'an invalid answer of the source is refused, and stored data is not charged: %s',
    async (_title, body, reason) => {
      const [domain] = (await newCompany({ stored: true })) as [string]
      adapterAnswers(domain, body)
      const asked = resolve(domain)
      // If the source is unusable, the site itself is checked, and the check must end.
      if (reason === 'source_unavailable') {
        await service.waiting(1)
        await service.end()
      }
      const { result, credits } = shown(await asked)
      const refresh = { ...attempted, status: 'failed', reason }
      expect(result).toMatchObject({
        available: false,
        cached: false,
        stale: true,
        reason,
        refresh,
        data: null,
      })
      expect([credits, await usedBy(customer)]).toEqual([3, 3])
    },
  )
})

describe('a refresh of firmographics by a check of the site', () => {
  const members = [
    { section: 'firmographics', value_key: 'name', value: { name: 'Of the site' } },
    { section: 'firmographics', value_key: 'founded_year', value: { founded_year: 2001 } },
  ]

  /** Ends the check that a request waits for. */
  async function endCheck(found: typeof members = []) {
    const [check] = await service.open()
    await service.find(check?.checkId as number, found)
    await service.waiting(1)
    await service.end()
    return check
  }

  test('a site is checked if the source has no data, and the check costs the customer nothing', async () => {
    const [domain] = (await newCompany()) as [string]
    const asked = resolve(domain)
    await service.waiting(1)
    expect(await service.account(customer)).toMatchObject({ credits_used: 0, credits_reserved: 15 })
    const check = await endCheck(members)
    expect(check).toMatchObject({ domain, askedBy: 'firmographics', accountId: null })
    const { result, credits } = shown(await asked)
    expect(result).toMatchObject({
      available: true,
      cached: false,
      refresh: { status: 'completed' },
      data: { name: 'Of the site', founded_year: 2001, website: null },
    })
    expect([credits, await usedBy(customer)]).toEqual([15, 15])
    const { rows } = await sql`
      select price_key from ledger_entries where price_key = 'domain.refresh'`.execute(
      service.service.live.database,
    )
    expect(rows).toEqual([])
  })

  test('a site that states only its name gives no firmographics, and costs nothing', async () => {
    const [domain] = (await newCompany()) as [string]
    const asked = resolve(domain)
    await endCheck(members.slice(0, 1))
    const { result, credits } = shown(await asked)
    expect(result).toMatchObject({
      available: false,
      reason: 'not_resolved',
      refresh: { ...attempted, status: 'failed', reason: 'not_resolved' },
    })
    expect(credits).toBe(3)
  })

  test('a site is not checked again within an hour, and a request uses the last check', async () => {
    const [stating, silent] = [await newCompany(), await newCompany()].flat() as [string, string]
    for (const domain of [stating, silent]) {
      const [asked] = await Promise.all([resolve(domain), endCheck(domain === stating ? members : [])])
      expect(shown(asked).result.refresh).toMatchObject(attempted)
    }
    clock = minutesLater(59)
    const [again, nothing] = [shown(await resolve(stating)), shown(await resolve(silent))]
    const refresh = { ...attempted, status: 'completed', reason: null }
    expect(again.result).toMatchObject({ cached: true, stale: false, refresh, data: { founded_year: 2001 } })
    expect([again.result.fetched_at, nothing.result.reason]).toEqual([moment.toISOString(), 'not_resolved'])
    expect([again.credits, nothing.credits]).toEqual([15, 3])
    clock = minutesLater(61)
    const [asked, check] = await Promise.all([resolve(silent), endCheck()])
    expect([asked.status, check?.domain]).toEqual([200, silent])
  })

  test('a site that states fewer fields erases no stored data, which is then not charged', async () => {
    const [domain] = (await newCompany({ stored: true })) as [string]
    const asked = resolve(domain)
    await endCheck(members.slice(1))
    const { result, credits } = shown(await asked)
    expect([result.available, result.stale, result.reason, credits]).toEqual([false, true, 'not_resolved', 3])
    expect(shown(await resolve(domain, { days: 3_000 })).result.data.founded_year).toBeNull()
  })

  test('a site that cannot be read is reported as temporarily unavailable', async () => {
    const [domain] = (await newCompany({ stored: true })) as [string]
    const asked = resolve(domain)
    await service.waiting(1)
    await service.end('timeout')
    const refresh = { status: 'failed', reason: 'source_temporarily_unavailable' }
    expect(shown(await asked).result).toMatchObject({ available: true, stale: true, refresh })
  })

  test('a request for firmographics checks at most 20 sites', async () => {
    const domains = await newCompany({ domains: 22 })
    const rich = await service.customer({ credits: 1_000 })
    const asked = resolve(domains[0] as string, {}, rich)
    await service.waiting(20)
    await service.open(20)
    await service.end()
    const { results, credits } = shown(await asked)
    const reasons = results.map(({ refresh }: typeof results) => refresh.reason).sort()
    expect(reasons.slice(19)).toEqual([
      'not_resolved',
      'source_temporarily_unavailable',
      'source_temporarily_unavailable',
    ])
    expect(credits).toBe(3)
  })
})

test('a service that is shutting down answers without waiting for the source', async () => {
  const stopping = await start(240)
  const [domain] = (await newCompany({ stored: true, of: stopping })) as [string]
  const buyer = await stopping.customer()
  const arrived = Promise.withResolvers<void>()
  adapter.answer(`/firms/${domain}`, () => arrived.resolve())
  const asked = resolve(domain, {}, buyer)
  await arrived.promise
  await stopping.close()
  expect(shown(await asked).result.refresh.reason).toBe('source_temporarily_unavailable')
})

test('a refresh that reaches the deadline fails, and its checks of sites continue', async () => {
  const hasty = await start(1, false)
  try {
    const [domain] = (await newCompany({ stored: true, of: hasty })) as [string]
    const buyer = await hasty.customer()
    const { result, credits } = shown(await resolve(domain, { stale: false }, buyer))
    expect(result).toMatchObject({
      available: false,
      reason: 'source_temporarily_unavailable',
      refresh: { ...attempted, status: 'failed', reason: 'source_temporarily_unavailable' },
    })
    expect(credits).toBe(3)
    await hasty.open(1)
    await hasty.end()
    await hasty.expectConsistentBooks()
  } finally {
    await hasty.close()
  }
})
