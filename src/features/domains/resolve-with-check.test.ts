import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import type { Customer, Response } from '../../../test/harness/service.ts'
import { type CheckService, startBeside, startCheckService } from '../enrichments/fixture.ts'

let service: CheckService
let customer: Customer
let moment = Date.parse('2026-11-20T08:00:00Z')
const misfits = declaredData('resolve_domain')
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

beforeAll(async () => {
  service = await startCheckService({ now: () => new Date(moment) })
})
beforeEach(async () => {
  customer = await service.customer({ credits: 100 })
})
afterEach(async () => {
  await service.end()
  expect(await reserved()).toBe(0)
  await service.expectConsistentBooks()
})
afterAll(() => service.close())

let sites = 0
/** Returns a domain that no earlier test has requested. */
const newSite = () => `fresh${++sites}.example`
const geo = (domain: string, days = 0) => `domain=${domain}&include[]=geo&max_age_days=${days}`

async function reserved(): Promise<number> {
  const { rows } = await sql<{ reserved: number }>`
    select count(*) as reserved from reservations`.execute(service.service.live.database)
  return rows[0]?.reserved ?? 0
}

function shown({ status, body, headers }: Response) {
  const { data } = body
  const { completed_at: _at, enrichment_id: _id, ...run } = data.observations.enrichment_run
  expect(misfits(data)).toBeNull()
  return {
    status,
    charged: [data.credits_charged, data.billing.credits_charged, Number(headers.get('x-credits-charged'))],
    refresh: data.billing.refresh,
    run,
    fromCache: data.observations.meta.served_from_cache,
  }
}

const isNew = { status: 200, charged: [1, 1, 1], run: { status: 'completed' }, fromCache: false }
const charged = { status: 'charged', credits: 10 }
const notCharged = { status: 'not_charged', credits: 0 }

describe('a request for evidence that is too old', () => {
  test("a request for newer evidence waits for a check, and costs 1 credit plus the check's 10", async () => {
    const site = newSite()
    const asked = service.resolve(customer, geo(site))
    const [check] = await service.open()
    expect(check).toMatchObject({ domain: site, askedBy: 'request' })
    await service.waiting(1)
    expect(await service.account(customer)).toMatchObject({ credits_used: 0, credits_reserved: 11 })
    await service.end()
    const answer = await asked
    expect(shown(answer)).toEqual({ ...isNew, refresh: charged })
    expect(answer.body.data.billing.breakdown.map((line: { key: string }) => line.key)).toEqual([
      'domain.verdict',
    ])
    const { enrichment_run: run, meta } = answer.body.data.observations
    expect([run.completed_at, meta.billable]).toEqual([new Date(moment).toISOString(), true])
    expect(await service.account(customer)).toMatchObject({ credits_used: 11, credits_reserved: 0 })
    const { rows: entries } = await sql`
      select price_key, credits from ledger_entries where request_id = ${answer.headers.get('x-request-id')}
       order by price_key`.execute(service.service.live.database)
    expect(entries).toEqual([
      { price_key: 'domain.refresh', credits: 10 },
      { price_key: 'domain.verdict', credits: 1 },
    ])
    const { rows: usage } = await sql`
      select endpoint, source, credits from usage_records
       where request_id = ${answer.headers.get('x-request-id')} order by source`.execute(
      service.service.live.database,
    )
    expect(usage).toEqual([
      { endpoint: 'resolve_domain', source: 'api', credits: 1 },
      { endpoint: 'resolve_domain', source: 'job', credits: 10 },
    ])
  })

  test('a request does not start a check if the last completed check is recent enough', async () => {
    const site = newSite()
    const asked = service.resolve(customer, geo(site))
    await service.open()
    await service.end()
    await asked
    moment += 3 * dayMs
    const young = await service.resolve(customer, `${geo(site, 3)}&max_credits=1`)
    expect(shown(young)).toMatchObject({ charged: [1, 1, 1], refresh: notCharged, fromCache: true })
    expect(young.body.data.observations.enrichment_run).toEqual({
      status: 'completed',
      completed_at: new Date(moment - 3 * dayMs).toISOString(),
      enrichment_id: null,
    })
    const old = await service.resolve(customer, `${geo(site, 2)}&max_credits=10`)
    expect([old.status, old.body.errors.details]).toEqual([402, { quoted_credits: 11, max_credits: 10 }])
  })

  test.each([
    ['geo', 10, 11],
    ['operator_launch_profile&include[]=licenses', 15, 16],
  ])(
    'a request for %s with max_credits=%i is refused before a check, as it could cost %i',
    async (section, most, quoted) => {
      const query = `domain=${newSite()}&include[]=${section}&max_age_days=1&max_credits=${most}`
      const { status, body } = await service.resolve(customer, query)
      expect([status, body.errors.details.quoted_credits]).toEqual([402, quoted])
      await service.open(0)
    },
  )

  test('a balance below the highest possible cost is a 429 before any check', async () => {
    const poor = await service.customer({ credits: 10 })
    const { status, body } = await service.resolve(poor, geo(newSite()))
    expect([status, body.errors]).toEqual([
      429,
      { code: 'quota_exceeded', details: { granted: 10, used: 0, reserved: 0, required: 11 } },
    ])
    await service.open(0)
    expect(await service.account(poor)).toMatchObject({ credits_used: 0, credits_reserved: 0 })
  })

  test("a request that joins another account's check pays nothing for the check", async () => {
    const site = newSite()
    const started = service.resolve(customer, geo(site))
    await service.open()
    const poor = await service.customer({ credits: 1 })
    const joined = service.resolve(poor, geo(site))
    await service.waiting(2)
    await service.end()
    expect(shown(await started)).toEqual({ ...isNew, refresh: charged })
    expect(shown(await joined)).toEqual({ ...isNew, refresh: notCharged })
    expect(await service.account(poor)).toMatchObject({ credits_used: 1, credits_reserved: 0 })
  })

  test('a failed check costs nothing, and the answer has the stored data', async () => {
    const asked = service.resolve(customer, geo('luckyotter.example'))
    await service.open()
    await service.end('tls_failure')
    const answer = await asked
    expect(shown(answer)).toMatchObject({
      charged: [1, 1, 1],
      refresh: notCharged,
      run: { status: 'failed' },
    })
    expect(answer.body.data.observations.geo).not.toBeNull()
    const again = await service.resolve(customer, geo('luckyotter.example'))
    expect(shown(again)).toMatchObject({ refresh: notCharged, run: { status: 'failed' }, fromCache: true })
    expect(await service.account(customer)).toMatchObject({ credits_used: 2, credits_reserved: 0 })
    moment += 5 * minuteMs
    const later = service.resolve(customer, geo('luckyotter.example'))
    await service.open()
    await service.end()
    expect(shown(await later)).toEqual({ ...isNew, refresh: charged })
  })
})

describe('an Idempotency-Key of a request with a check', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('a request with an Idempotency-Key completes after its client disconnects, for a retry', async () => {
    const site = newSite()
    const leaving = new AbortController()
    const url = `${service.url}/v1/domains/resolve?${geo(site)}`
    const headers = { 'x-api-key': customer.key, ...key('leaves') }
    const asked = fetch(url, { headers, signal: leaving.signal })
    await service.waiting(1)
    leaving.abort()
    await expect(asked).rejects.toThrow('aborted')
    await service.end()
    await eventually('it is charged', async () => (await service.account(customer)).credits_used === 11)
    const retried = await service.resolve(customer, geo(site), key('leaves'))
    expect(shown(retried)).toMatchObject({ refresh: charged, run: { status: 'completed' } })
    expect(retried.headers.get('idempotency-replayed')).toBe('true')
    expect(await service.account(customer)).toMatchObject({ credits_used: 11, credits_reserved: 0 })
  })

  test('requests with one Idempotency-Key wait for one delivery, at exactly its price', async () => {
    const site = newSite()
    const exact = await service.customer({ credits: 11 })
    const first = service.resolve(exact, geo(site), key('both'))
    await service.waiting(1)
    const second = service.resolve(exact, geo(site), key('both'))
    await service.waiting(2)
    await service.end()
    const [one, other] = await Promise.all([first, second])
    expect([one.status, one.text]).toEqual([200, other.text])
    expect(new Set([one, other].map(each => each.headers.get('idempotency-replayed')))).toEqual(
      new Set([null, 'true']),
    )
    expect((await service.resolve(exact, geo(site), key('both'))).text).toBe(one.text)
    expect(await service.account(exact)).toMatchObject({ credits_used: 11, credits_reserved: 0 })
  })

  test('a retry uses the check that an unanswered attempt started, also with max_age_days=0', async () => {
    const site = newSite()
    const asked = service.resolve(customer, geo(site), key('unanswered'))
    await service.open()
    await sql`alter table idempotency_records add constraint none check (false) not valid`.execute(
      service.service.live.database,
    )
    await service.end()
    expect((await asked).status).toBe(500)
    await sql`alter table idempotency_records drop constraint none`.execute(service.service.live.database)
    expect(await service.account(customer)).toMatchObject({ credits_used: 10, credits_reserved: 0 })
    moment += minuteMs
    const retried = await service.resolve(customer, geo(site), key('unanswered'))
    expect(shown(retried)).toEqual({ ...isNew, refresh: charged })
    expect(await service.account(customer)).toMatchObject({ credits_used: 11, credits_reserved: 0 })
  })

  test('an Idempotency-Key that was used for another domain is a 409 before any check', async () => {
    const started = service.resolve(customer, geo(newSite()), key('once'))
    await service.open()
    const other = await service.resolve(customer, geo(newSite()), key('once'))
    expect([other.status, other.body.errors.code]).toEqual([409, 'idempotency_key_reused'])
    await service.end()
    expect((await started).status).toBe(200)
  })
})

test('a client that disconnects without an Idempotency-Key pays for the check alone', async () => {
  const leaving = new AbortController()
  const asked = fetch(`${service.url}/v1/domains/resolve?${geo(newSite())}`, {
    headers: { 'x-api-key': customer.key },
    signal: leaving.signal,
  })
  await service.waiting(1)
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  await service.waiting(0)
  await eventually('the rest is free', async () => (await service.account(customer)).credits_reserved === 10)
  await service.end()
  expect(await service.account(customer)).toMatchObject({ credits_used: 10, credits_reserved: 0 })
})

test('50 requests of five accounts at two services make one check and one refresh', async () => {
  const beside = await startBeside(service)
  try {
    const customers = await Promise.all(Array.from({ length: 5 }, () => service.customer({ credits: 200 })))
    const site = newSite()
    const asked = Array.from({ length: 50 }, async (_, number) => {
      const base = number % 2 === 0 ? service.url : beside.url
      const { key } = customers[number % 5] as Customer
      const response = await fetch(`${base}/v1/domains/resolve?${geo(site)}`, {
        headers: { 'x-api-key': key },
      })
      return (await response.json()) as { data: { billing: { refresh: { status: string } } } }
    })
    await eventually('all wait', () => service.service.waits.count + beside.waits.count === 50)
    expect(await service.end()).toHaveLength(1)
    const refreshes = (await Promise.all(asked)).map(({ data }) => data.billing.refresh.status)
    expect(refreshes.filter(status => status === 'charged')).toHaveLength(1)
    const used = await Promise.all(customers.map(async each => (await service.account(each)).credits_used))
    expect(used.reduce((sum, each) => sum + each, 0)).toBe(50 + 10)
  } finally {
    await beside.close()
  }
})
