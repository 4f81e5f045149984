import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer, Response } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { findJobs } from '../../jobs/index.ts'
import { type CheckService, startBeside, startCheckService } from './fixture.ts'
import { failLostChecks } from './index.ts'

let service: CheckService
let customer: Customer
let moment = Date.parse('2026-11-20T08:00:00Z')
const misfits = { created: declaredData('create_enrichment'), shown: declaredData('show_enrichment') }
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
  await service.expectConsistentBooks()
})
afterAll(() => service.close())

let sites = 0
/** Returns a domain that no earlier test has requested. */
const newSite = () => `enriched${++sites}.example`
const database = () => service.service.live.database
const code = ({ status, body }: Response) => [status, body.errors?.code]
const spent = async (of: Customer) => {
  const { credits_used: used, credits_reserved: reserved } = await service.account(of)
  return { used, reserved }
}

async function created(of: Customer, body: unknown, headers: Record<string, string> = {}) {
  const response = await service.enrich(of, body, headers)
  expect(response.status, response.text).toBe(202)
  expect(misfits.created(response.body.data)).toBeNull()
  return response.body.data
}

async function shown(of: Customer, id: string) {
  const { status, body, headers } = await of.ask(`/v1/enrichments/${id}`)
  expect(status).toBe(200)
  expect(misfits.shown(body.data)).toBeNull()
  expect(headers.get('x-credits-charged')).toBeNull()
  return body.data
}

describe('POST /v1/enrichments', () => {
  test('POST /v1/enrichments starts a check, which costs 10 credits when it is completed', async () => {
    const site = newSite()
    const { enrichment_id: id, ...rest } = await created(customer, { domain: `https://www.${site}/lobby` })
    expect(rest).toEqual({
      domain: site,
      status: 'queued',
      credits_quoted: 10,
      credits_charged: 0,
      poll_url: `/v1/enrichments/${id}`,
    })
    expect(await service.open()).toMatchObject([{ domain: site, askedBy: 'enrichment' }])
    expect(await spent(customer)).toEqual({ used: 0, reserved: 10 })
    const asked = {
      enrichment_id: id,
      domain: site,
      reason: null,
      requested_at: new Date(moment).toISOString(),
    }
    const open = { completed_at: null, credits_charged: 0, found: null }
    expect(await shown(customer, id)).toEqual({ ...asked, ...open, status: 'queued' })
    moment += 9_000
    await service.end()
    expect(await shown(customer, id)).toEqual({
      ...asked,
      status: 'completed',
      completed_at: new Date(moment).toISOString(),
      credits_charged: 10,
      found: {
        payment_methods: 0,
        supplier_brands: 0,
        affiliate_programs: 0,
        related_domains: 0,
        geo: 0,
      },
    })
    expect(await spent(customer)).toEqual({ used: 10, reserved: 0 })
    const { rows } = await sql`
      select endpoint, source, credits, last_four
        from usage_records record
        join accounts account on account.id = account_id
        left join api_keys key on key.id = record.key_id
       where account_ref = ${customer.accountRef} and endpoint = 'create_enrichment'
       order by source`.execute(database())
    expect(rows).toEqual([
      { endpoint: 'create_enrichment', source: 'api', credits: 0, last_four: customer.key.slice(-4) },
      { endpoint: 'create_enrichment', source: 'job', credits: 10, last_four: customer.key.slice(-4) },
    ])
  })

  test.each([
    ['name_does_not_exist', 'name_does_not_exist'],
    ['redirects_to_another_domain', 'redirects_to_another_domain'],
    ['product_lobby', null],
  ])(
    'an enrichment whose launch status has the reason %s shows its own reason %s',
    async (reason, expected) => {
      const { enrichment_id: id } = await created(customer, { domain: newSite() })
      const [check] = await service.open()
      const value = { status: 'unknown', confidence: 'low', reasons: [reason] }
      await service.find(check?.checkId as number, [{ section: 'launch', value_key: '', value }])
      expect(await shown(customer, id)).toMatchObject({ status: 'queued', reason: null })
      await service.end()
      expect(await shown(customer, id)).toMatchObject({ status: 'completed', reason: expected })
    },
  )

  test('POST /v1/enrichments is free if the last check of the site is recent enough', async () => {
    const domain = newSite()
    const { enrichment_id: first } = await created(customer, { domain })
    await service.end()
    const { completed_at: completedAt } = await shown(customer, first)
    const poor = await service.customer({ credits: 0 })
    moment += dayMs
    const reused = await created(poor, { domain, max_credits: 0 })
    expect(reused).toMatchObject({ status: 'completed', credits_quoted: 0 })
    expect(await shown(poor, reused.enrichment_id)).toMatchObject({
      status: 'completed',
      completed_at: completedAt,
      requested_at: new Date(moment).toISOString(),
      credits_charged: 0,
    })
    moment += dayMs
    expect(await created(poor, { domain, max_age_days: 2 })).toMatchObject({ status: 'completed' })
    await service.open(0)
    expect(code(await service.enrich(poor, { domain }))).toEqual([429, 'quota_exceeded'])
    expect(await created(customer, { domain })).toMatchObject({ status: 'queued', credits_quoted: 10 })
  })

  test('POST /v1/enrichments with max_age_days 0 always checks the site', async () => {
    const domain = newSite()
    await created(customer, { domain })
    await service.end()
    moment += 1
    expect(await created(customer, { domain, max_age_days: 0 })).toMatchObject({ credits_quoted: 10 })
    await service.open(1)
    await service.end()
    expect(await spent(customer)).toEqual({ used: 20, reserved: 0 })
  })

  test('an enrichment and a verdict join the running check of another account for free', async () => {
    const domain = newSite()
    const { enrichment_id: started } = await created(customer, { domain })
    const poor = await service.customer({ credits: 1 })
    const joined = await created(poor, { domain, max_age_days: 0 })
    expect(joined).toMatchObject({ status: 'queued', credits_quoted: 0 })
    const verdict = service.resolve(poor, `domain=${domain}&include[]=geo&max_age_days=1`)
    await service.waiting(1)
    await service.open(1)
    await service.end()
    expect((await verdict).body.data.billing.refresh).toEqual({ status: 'not_charged', credits: 0 })
    expect(await shown(poor, joined.enrichment_id)).toMatchObject({ status: 'completed', credits_charged: 0 })
    expect(await shown(customer, started)).toMatchObject({ credits_charged: 10 })
    expect(await spent(poor)).toEqual({ used: 1, reserved: 0 })
  })

  test('50 enrichments of five accounts at two services make one check and one charge', async () => {
    const beside = await startBeside(service)
    try {
      const customers = await Promise.all(Array.from({ length: 5 }, () => service.customer({ credits: 10 })))
      const body = JSON.stringify({ domain: newSite() })
      const quoted = Array.from({ length: 50 }, async (_, number) => {
        const base = number % 2 === 0 ? service.url : beside.url
        const { key } = customers[number % 5] as Customer
        const headers = { 'x-api-key': key, 'content-type': 'application/json' }
        const response = await fetch(`${base}/v1/enrichments`, { method: 'POST', body, headers })
        expect(response.status).toBe(202)
        return ((await response.json()) as { data: { credits_quoted: number } }).data.credits_quoted
      })
      const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
      expect(sum(await Promise.all(quoted))).toBe(10)
      expect(await service.end()).toHaveLength(1)
      const used = await Promise.all(customers.map(async each => (await spent(each)).used))
      expect(sum(used)).toBe(10)
    } finally {
      await beside.close()
    }
  })

  test('a failed enrichment costs nothing, and the site is not checked again for 5 minutes', async () => {
    const domain = newSite()
    const { enrichment_id: id } = await created(customer, { domain })
    await service.end('tls')
    const failed = { status: 'failed', reason: 'tls', completed_at: null, credits_charged: 0, found: null }
    expect(await shown(customer, id)).toMatchObject(failed)
    const again = await created(customer, { domain, max_age_days: 0 })
    expect(again).toMatchObject({ status: 'failed', credits_quoted: 0 })
    expect(await shown(customer, again.enrichment_id)).toMatchObject(failed)
    expect(await spent(customer)).toEqual({ used: 0, reserved: 0 })
    moment += 5 * minuteMs
    expect(await created(customer, { domain })).toMatchObject({ status: 'queued', credits_quoted: 10 })
  })

  test("an enrichment whose check is lost releases its credits, and hides the worker's error", async () => {
    const { enrichment_id: id } = await created(customer, { domain: newSite() })
    const lost = async () => [
      { key: (await jobKeys())[0] as string, state: 'failed', last_error: 'Error: /srv/secret.ts:1' },
    ]
    const found = await failLostChecks(database(), lost, new Date(moment))
    expect(found).toMatchObject([{ failure: 'Error: /srv/secret.ts:1' }])
    expect(await shown(customer, id)).toMatchObject({ status: 'failed', reason: 'interrupted' })
    expect(await spent(customer)).toEqual({ used: 0, reserved: 0 })
    expect(await failLostChecks(database(), findJobs, new Date(moment))).toEqual([])
  })

  const jobKeys = async () => (await service.open()).map(({ domain }) => `check:${domain}`)
})

describe('rejected enrichments', () => {
  afterEach(() => service.open(0))

  test('402: an enrichment above max_credits is rejected', async () => {
    const rejected = await service.enrich(customer, { domain: newSite(), max_credits: 9 })
    expect(code(rejected)).toEqual([402, 'max_credits_exceeded'])
    expect(rejected.body.errors.details).toEqual({ quoted_credits: 10, max_credits: 9 })
  })

  test('429: an enrichment with a balance below 10 is rejected, and reserves nothing', async () => {
    const poor = await service.customer({ credits: 9 })
    const rejected = await service.enrich(poor, { domain: newSite() })
    expect([rejected.status, rejected.body.errors]).toEqual([
      429,
      { code: 'quota_exceeded', details: { granted: 9, used: 0, reserved: 0, required: 10 } },
    ])
    expect(await spent(poor)).toEqual({ used: 0, reserved: 0 })
  })

  test.each([
    [{ domain: 'not a domain' }, 400, 'invalid_domain'],
    [{ domain: 'ann@luckyotter.example' }, 400, 'invalid_domain'],
    [{ domain: 'ftp://luckyotter.example' }, 400, 'invalid_domain'],
    [{ domain: newSite(), max_age: 1 }, 400, 'unknown_parameter'],
    [{}, 422, 'unprocessable_body'],
    [{ domain: newSite(), max_age_days: -1 }, 422, 'unprocessable_body'],
    [{ domain: newSite(), max_age_days: 3_651 }, 422, 'unprocessable_body'],
    [{ domain: newSite(), max_age_days: '1' }, 422, 'unprocessable_body'],
  ])('the enrichment %j is rejected with %i %s', async (body, status, failure) => {
    expect(code(await service.enrich(customer, body))).toEqual([status, failure])
  })

  test('an enrichment is 400 without a body, 401 without a key, and 403 with the demo key', async () => {
    expect(code(await customer.ask('/v1/enrichments', { method: 'POST' }))).toEqual([
      400,
      'missing_parameter',
    ])
    const nobody = { ...customer, ask: service.ask }
    expect((await service.enrich(nobody, { domain: newSite() })).status).toBe(401)
    const demo = await service.enrich(nobody, { domain: newSite() }, { 'x-api-key': demoKey })
    expect(code(demo)).toEqual([403, 'demo_key_restricted'])
  })

  test('503: a service that checks no sites rejects enrichments', async () => {
    const off = await startCheckService({ observation: { isOn: false } })
    try {
      const refused = await off.enrich(await off.customer(), { domain: newSite() })
      expect(code(refused)).toEqual([503, 'service_unavailable'])
      expect(refused.headers.get('retry-after')).toBe('3600')
      await off.open(0)
    } finally {
      await off.close()
    }
  })
})

describe('an Idempotency-Key of an enrichment', () => {
  const key = { 'idempotency-key': 'one' }

  test('an enrichment that is retried with its Idempotency-Key returns the first answer', async () => {
    const domain = newSite()
    const first = await created(customer, { domain, max_age_days: 0 }, key)
    await service.end()
    const again = await service.enrich(customer, { domain, max_age_days: 0 }, key)
    expect(again.body.data).toEqual(first)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await spent(customer)).toEqual({ used: 10, reserved: 0 })
    expect(code(await service.enrich(customer, { domain: newSite() }, key))).toEqual([
      409,
      'idempotency_key_reused',
    ])
  })

  test('simultaneous requests with one Idempotency-Key create one enrichment', async () => {
    const domain = newSite()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => created(customer, { domain, max_age_days: 0 }, key)),
    )
    expect(new Set(answers.map(each => each.enrichment_id)).size).toBe(1)
    expect(await spent(customer)).toEqual({ used: 0, reserved: 10 })
  })
})

describe('GET /v1/enrichments/{id}', () => {
  test('GET /v1/enrichments/{id} counts the findings of its check by section', async () => {
    const { enrichment_id: id } = await created(customer, { domain: newSite() })
    const [checkId] = await service.end()
    const found = ['payment_methods visa', 'payment_methods skrill', 'geo language en', 'platform ottersoft']
    const findings = found.map(value_key => ({ section: value_key.split(' ')[0] as string, value_key }))
    await service.find(checkId as number, findings)
    expect((await shown(customer, id)).found).toEqual({
      payment_methods: 2,
      supplier_brands: 0,
      affiliate_programs: 0,
      related_domains: 0,
      geo: 1,
    })
  })

  test("404: another account's enrichment answers exactly like a missing one", async () => {
    const { enrichment_id: id } = await created(customer, { domain: newSite() })
    const other = await service.customer()
    const [hidden, missing] = await Promise.all([
      other.ask(`/v1/enrichments/${id}`),
      other.ask('/v1/enrichments/enr_11111111111111111111'),
    ])
    expect(code(missing)).toEqual([404, 'not_found'])
    const { timestamp: _one, ...ofHidden } = hidden.body
    const { timestamp: _other, ...ofMissing } = missing.body
    expect([hidden.status, ofHidden]).toEqual([missing.status, ofMissing])
  })

  test('GET /v1/enrichments/{id} shows a check that a verdict has started', async () => {
    const asked = service.resolve(customer, `domain=${newSite()}&include[]=geo&max_age_days=1`)
    await service.waiting(1)
    await service.end()
    const { enrichment_id: id } = (await asked).body.data.observations.enrichment_run
    expect(await shown(customer, id)).toMatchObject({ status: 'completed', credits_charged: 10 })
  })
})
