import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../../test/harness/client.ts'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'
import { reviewPlatform } from '../../signals/index.ts'

const path = '/v1/companies/search/preview'

let service: TestService
let customer: Customer
const misfits = declaredData('preview_companies')
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 0 })
})
afterAll(() => service.close())

type Parameters = Record<string, string | number | boolean>
const queryOf = (parameters: Parameters) =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))

async function preview(parameters: Parameters) {
  const { status, body } = await customer.ask(`${path}?${queryOf(parameters)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return body.data
}

async function refusal(parameters: Parameters): Promise<[number, string, unknown]> {
  const { status, body } = await customer.ask(`${path}?${queryOf(parameters)}`)
  return [status, body.errors?.code, body.errors?.details]
}

describe('a preview of Company search', () => {
  const queries: Parameters[] = [
    {},
    { q: 'otter' },
    { q: 'Ottermoor Gaming' },
    { q: 'Pebble & Pike' },
    { q: 'Bocian i Kości', jurisdiction: 'poland' },
    { q: 'Grenfinch' },
    { q: 'Lucky+Otter' },
    { q: '"Ottermoor"? #Gaming% <b>' },
    { domain: 'https://www.twofaced.example/', role: 'operator' },
    { role: 'operator', license_status: 'Active', payment_category: 'card', geo: 'GB' },
    { has_platform: false, affiliate_program: true },
    { q: 'nobody of that name' },
  ]

  test.each(queries)('a preview of %j reports the total and the cost of the search', async parameters => {
    const seen = await preview(parameters)
    const buyer = await service.customer({ credits: 1_000 })
    const { data: paid } = (
      await buyer.ask(`/v1/companies/search?${queryOf({ ...parameters, page_size: 100 })}`)
    ).body
    expect(seen.total_count).toBe(paid.total)
    expect(seen.facet_counts).toEqual(paid.facet_counts)
    expect(seen.query).toEqual(paid.query)
    expect([seen.answered, seen.answer_basis]).toEqual([paid.answered, paid.answer_basis])
    expect(seen.identity_match?.type).toBe(paid.identity_match?.type)
    const upTo = (rows: number) => Math.min(rows, paid.total)
    expect(seen.estimated_costs).toEqual({ 10: upTo(10), 25: upTo(25), 50: upTo(50), 100: upTo(100) })
    expect(seen.sample).toHaveLength(upTo(3))
  })

  test.each(queries.slice(0, -1))(
    'a preview of %j suggests a paid search that works as printed, at exactly the quoted price',
    async parameters => {
      const { next_action: next, total_count: total } = await preview(parameters)
      expect(next).toMatchObject({
        type: 'paid_search',
        method: 'GET',
        href: expect.stringMatching(/^\/v1\/companies\/search\?/),
        estimated_credits: Math.min(10, total),
      })
      const buyer = await service.customer({ credits: next.estimated_credits })
      const { status, body, headers } = await buyer.ask(next.href)
      expect([status, body.data.credits_charged]).toEqual([200, next.estimated_credits])
      expect(headers.get('x-credits-charged')).toBe(String(next.estimated_credits))
      expect(body.data).toMatchObject({ total, page: 1 })
      expect(body.data.hits).toHaveLength(next.estimated_credits)
      expect(body.data.billing.max_credits).toBe(next.estimated_credits)
    },
  )

  test('a preview without matches suggests no paid search', async () => {
    expect(await preview({ q: 'nobody of that name' })).toMatchObject({
      total_count: 0,
      estimated_costs: { 10: 0, 25: 0, 50: 0, 100: 0 },
      next_action: null,
      sample: [],
      identity_match: null,
      answered: false,
      answer_basis: null,
    })
  })

  test('a preview shows a masked name, categories and counts of a Company', async () => {
    const { sample, identity_match } = await preview({ q: ' ottermoor gaming ' })
    expect(sample[0]).toEqual({
      company_name: 'Ot***',
      subject_kind: 'legal_entity',
      role: ['operator'],
      jurisdictions: expect.arrayContaining(['ukgc', 'mga']),
      domain_count: expect.any(Number),
      license_count: 4,
      payment_method_count: expect.any(Number),
      supplier_brand_count: expect.any(Number),
    })
    expect(identity_match).toEqual({
      type: 'company_name',
      name: 'ottermoor gaming',
      aliases: [],
      official_domain: null,
      company_ref: null,
      company_name: null,
      legal_entity: null,
    })
  })

  test('a preview costs nothing and works without credits', async () => {
    const response = await customer.ask(`${path}?q=otter`)
    expect(response.status).toBe(200)
    expect(response.body.data).not.toHaveProperty('credits_charged')
    const account = await customer.ask('/v1/account')
    expect(account.body.data).toMatchObject({ credits_used: 0, credits_granted: 0 })
  })
})

describe('a rejected preview', () => {
  test('platform_brand_in_query: a text that names a reviewed platform is refused', async () => {
    for (const q of [
      'copperbeam',
      'Copperbeam',
      'casinos on COPPERBEAM',
      'Tide Wheel',
      'tidewheel',
      'Understudy Platform Ltd',
      'copper-beam',
      'hexafold.example',
    ]) {
      expect(await refusal({ q }), q).toEqual([
        400,
        'platform_brand_in_query',
        { parameter: 'q', takes: 'text without the name of a platform' },
      ])
    }
  })

  test("platform_brand_in_query applies from a platform's review until it is revoked", async () => {
    const { live } = service.service
    await preview({ q: 'Sandbag' })
    await reviewPlatform(live, 'sandbag', new Date('2026-11-01T00:00:00Z'))
    expect((await refusal({ q: 'sandbag systems' }))[1]).toBe('platform_brand_in_query')
    await reviewPlatform(live, 'sandbag', new Date('2026-11-02T00:00:00Z'), { reviewed: false })
    await preview({ q: 'Sandbag' })
  })

  test.each(['payment_method', 'supplier_brand', 'platform', 'page', 'page_size', 'after', 'max_credits'])(
    'unknown_parameter: a preview refuses %s, which belongs to the paid search',
    async parameter => {
      expect((await refusal({ [parameter]: '1' })).slice(0, 2)).toEqual([400, 'unknown_parameter'])
    },
  )

  test.each<[Parameters, string]>([
    [{ q: 'a' }, 'invalid_parameter'],
    [{ q: 'x'.repeat(201) }, 'invalid_parameter'],
    [{ role: 'wizard' }, 'invalid_parameter'],
    [{ jurisdiction: 'atlantis' }, 'invalid_parameter'],
    [{ license_status: 'activ' }, 'invalid_parameter'],
    [{ geo: 'x'.repeat(65) }, 'invalid_parameter'],
    [{ domain: '10.0.0.1' }, 'invalid_domain'],
  ])('a preview of %j is rejected with %s', async (parameters, code) => {
    expect((await refusal(parameters)).slice(0, 2)).toEqual([400, code])
  })

  test('a preview without a key is 401', async () => {
    expect((await service.ask(`${path}?q=otter`)).status).toBe(401)
  })

  test('search_unavailable: a preview that exceeds its time limit is 503 with Retry-After', async () => {
    const response = await withClient(service.database.connection, async client => {
      await client.query('begin; lock table company_search in access exclusive mode')
      const answer = customer.ask(`${path}?q=finch&role=operator`)
      await eventually('a statement waits, and is cancelled', async () => {
        await client.query('select pg_stat_clear_snapshot()')
        const { rowCount } = await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database()
               and wait_event_type = 'Lock'
               and application_name like 'baize public%'`,
        )
        return rowCount
      })
      await client.query('rollback')
      return answer
    })
    expect([response.status, response.body.errors.code]).toEqual([503, 'search_unavailable'])
    expect(response.headers.get('retry-after')).toBe('2')
  })
})
