import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../../test/harness/client.ts'
import { readDemoRecords } from '../../../../test/harness/demo-world.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { Customer, Response } from '../../../../test/harness/service.ts'
import {
  creditsUsed,
  type LicenseService,
  type Parameters,
  refused,
  startLicenseService,
} from '../fixture.ts'
import {
  type Data,
  distinct,
  type ExpectedLicense,
  expectedLicenses,
  numbersOf,
  pathOf,
  searchLicenses,
} from './fixture.ts'

const path = '/v1/licenses/search'

let service: LicenseService
let customer: Customer
let expected: ExpectedLicense[]
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo' })
  customer = await service.customer({ credits: 100_000_000 })
  expected = expectedLicenses(await readDemoRecords())
})
afterAll(() => service.close())

const ask = (parameters: Parameters, caller: Customer = customer, headers = {}): Promise<Response> =>
  caller.ask(pathOf(path, parameters), { headers })
const search = (parameters: Parameters) => searchLicenses(customer, parameters)

const numbersWhere = (fits: (each: ExpectedLicense) => boolean) =>
  expected.filter(fits).map(each => each.license_number)

describe('filters of license search', () => {
  test.each(['jurisdiction', 'license_status', 'license_type'] as const)(
    'the filter %s lists exactly the matching licenses, and its facet counts them',
    async filter => {
      const field = filter === 'license_status' ? 'status' : filter
      const counts = new Map<string, number>()
      for (const value of distinct(expected.map(each => each[field])).filter(each => each !== null)) {
        const { hits, total } = await search({ [filter]: value })
        const numbers = numbersWhere(each => each[field] === value)
        expect(numbersOf(hits).sort(), value).toEqual(numbers.sort())
        expect(total).toBe(numbers.length)
        counts.set(value, numbers.length)
      }
      const { facet_counts: facets } = await search({})
      const facet = facets.find((each: Data) => each.field === filter)
      expect(new Map(facet.values.map((each: Data) => [each.value, each.count]))).toEqual(counts)
    },
  )

  test('filters of licenses combine, and facets count the licenses that match all filters', async () => {
    const both = { jurisdiction: 'ukgc', license_status: 'active' }
    const numbers = numbersWhere(each => each.jurisdiction === 'ukgc' && each.status === 'active')
    const { hits, facet_counts: facets, query } = await search(both)
    expect(numbersOf(hits).sort()).toEqual(numbers.sort())
    expect(query).toEqual(both)
    expect(facets.slice(0, 2)).toEqual([
      { field: 'jurisdiction', values: [{ value: 'ukgc', count: numbers.length }] },
      { field: 'license_status', values: [{ value: 'active', count: numbers.length }] },
    ])
  })

  test('a license status matches in any spelling, and an unknown one is a 400', async () => {
    const { hits, query } = await search({ license_status: 'Revoked - Non Payment of Fee' })
    expect(numbersOf(hits).sort()).toEqual(numbersWhere(each => each.status === 'revoked').sort())
    expect(query).toEqual({ license_status: 'revoked' })
    const { body } = await ask({ license_status: 'activ' })
    expect(body.errors).toMatchObject({ code: 'invalid_parameter', details: { parameter: 'license_status' } })
    expect(body.errors.details.takes).toContain('surrendered')
  })

  test('a license search by a type that no license has is a free empty page', async () => {
    expect(await search({ license_type: 'Piracy' })).toMatchObject({
      total: 0,
      hits: [],
      next_cursor: null,
      answer_basis: null,
      billing: { billing_reason: 'no_results', returned_count: 0, credits_charged: 0 },
    })
  })

  test('a license search without filters returns every license in force today', async () => {
    const { hits, total, answer_basis: basis } = await search({})
    expect([total, basis]).toEqual([expected.length, 'filters'])
    expect(numbersOf(hits).sort()).toEqual(expected.map(each => each.license_number).sort())
  })
})

describe('a row of license search', () => {
  test('a row of license search has the fields of resolve, but only the number of domains', async () => {
    const { hits } = await search({})
    for (const { rank, authorized_domain_count: count, ...row } of hits) {
      const { body } = await customer.ask(`/v1/licenses/resolve?license_ref=${row.license_ref}`)
      const [profile] = body.data.licenses
      expect(Number.isInteger(rank)).toBe(true)
      expect(profile).toMatchObject(row)
      expect(profile.authorized_domains).toHaveLength(count)
      expect(Object.keys(row).sort()).toEqual([
        'company_name',
        'company_ref',
        'expires_at',
        'issued_at',
        'jurisdiction',
        'license_number',
        'license_ref',
        'license_type',
        'status',
      ])
    }
  })
})

describe('license search by text', () => {
  test('a text that is a license number puts its license first, in any spelling', async () => {
    for (const { license_number: number, jurisdiction } of expected) {
      for (const q of [number, number.toLowerCase(), number.replaceAll(/[ /.-]+/g, ' ')]) {
        const { hits, answer_basis: basis } = await search({ q })
        expect([hits[0]?.license_number, hits[0]?.jurisdiction, basis], q).toEqual([
          number,
          jurisdiction,
          'text',
        ])
      }
    }
  })

  test.each(['099101-R-339101-001', '099101-r-339101', '099101 R 339101 004'])(
    'a text finds a UKGC number with any version counter: %s',
    async q => {
      expect(numbersOf((await search({ q })).hits)[0]).toBe('099101-R-339101-004')
    },
  )

  test('a text that names a Company finds its licenses', async () => {
    const { hits } = await search({ q: 'ottermoor gaming' })
    expect(numbersOf(hits).sort()).toEqual(numbersWhere(each => each.company === 'ottermoor').sort())
  })

  test('a text is also searched in jurisdiction and type, and combines with filters', async () => {
    expect(numbersOf((await search({ q: 'estonia' })).hits).sort()).toEqual(
      numbersWhere(each => each.jurisdiction === 'estonia').sort(),
    )
    const { hits } = await search({ q: 'onlinekasino', jurisdiction: 'denmark' })
    expect(numbersOf(hits).sort()).toEqual(numbersWhere(each => each.license_type === 'Onlinekasino').sort())
  })

  test('a license search that finds only similar names says so', async () => {
    const { hits, answer_basis: basis } = await search({ q: 'otermoor' })
    expect(basis).toBe('similar')
    expect(distinct(hits.map((hit: Data) => hit.company_name))).toEqual(['Ottermoor Gaming'])
    expect(await search({ q: 'nobody of that name' })).toMatchObject({
      total: 0,
      hits: [],
      answer_basis: null,
    })
  })

  test('no text of a license search causes a server error', async () => {
    const hostile = fc.oneof(
      fc.string({ minLength: 2, maxLength: 200, unit: 'grapheme' }),
      fc.constantFrom(
        "' or 1=1 --",
        '%%%',
        '(((',
        '&|!',
        '<->',
        ':*',
        '\\\\',
        '日本語',
        '🎰🎰',
        'a'.repeat(200),
        '\0\0',
      ),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async q => {
        const { status } = await ask({ q, page_size: 1 })
        expect([200, 400]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })
})

describe('input validation of license search', () => {
  test.each([
    [{ domain: '10.0.0.1' }, 'invalid_domain', 'domain'],
    [{ domain: 'ann@otter.example' }, 'invalid_domain', 'domain'],
    [{ jurisdiction: 'atlantis' }, 'invalid_parameter', 'jurisdiction'],
    [{ q: 'x' }, 'invalid_parameter', 'q'],
    [{ q: '   x   ' }, 'invalid_parameter', 'q'],
    [{ q: '' }, 'invalid_parameter', 'q'],
    [{ q: 'x'.repeat(201) }, 'invalid_parameter', 'q'],
    [{ license_type: '   ' }, 'invalid_parameter', 'license_type'],
    [{ page_size: 101 }, 'invalid_parameter', 'page_size'],
    [{ page_size: 0 }, 'invalid_parameter', 'page_size'],
    [{ page: 0 }, 'invalid_parameter', 'page'],
    [{ role: 'operator' }, 'unknown_parameter', 'role'],
  ])('license search of %j is a 400: %s', async (parameters, code, parameter) => {
    const { status, body } = await ask(parameters as unknown as Parameters)
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([400, code, parameter])
  })

  test('license search without a key is a 401', async () => {
    expect((await service.ask(path)).status).toBe(401)
  })
})

describe('the bill of license search', () => {
  test('license search costs a credit a row, and a max_credits below the price is a free 402', async () => {
    const buyer = await service.customer({ credits: 10 })
    const { body } = await ask({ jurisdiction: 'mga', page_size: 4, max_credits: 4 }, buyer)
    expect(body.data.billing).toEqual({
      returned_count: 4,
      credits_per_result: 1,
      credits_charged: 4,
      billing_reason: 'search_results_delivered',
      max_credits: 4,
      page_size: 4,
    })
    const dear = await ask({ jurisdiction: 'mga', page_size: 4, max_credits: 3 }, buyer)
    expect([dear.status, dear.body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 4, max_credits: 3 } },
    ])
    expect(await creditsUsed(buyer)).toBe(4)
    // The quote is the number of rows on the page, not the page size.
    const few = numbersWhere(each => each.jurisdiction === 'ireland').length
    expect((await ask({ jurisdiction: 'ireland', max_credits: few }, buyer)).status).toBe(200)
  })

  test('a retried license search is charged once, and a page that exceeds the balance is a 429', async () => {
    const buyer = await service.customer({ credits: 3 })
    const once = { 'idempotency-key': 'one-page' }
    const first = await ask({ q: 'gaming', page_size: 3 }, buyer, once)
    expect(refused(await ask({ q: 'gaming', page_size: 3 }, buyer))).toEqual([429, 'quota_exceeded'])
    const again = await ask({ q: 'gaming', page_size: 3 }, buyer, once)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(refused(await ask({ q: 'gaming', page_size: 2 }, buyer, once))).toEqual([
      409,
      'idempotency_key_reused',
    ])
    expect(await creditsUsed(buyer)).toBe(3)
  })
})

test('search_unavailable: a license search over its time limit is a free 503 with Retry-After', async () => {
  const careful = await service.customer()
  const response = await withClient(service.database.connection, async client => {
    await client.query('begin; lock table license_search in access exclusive mode')
    const answer = ask({ q: 'never sent before' }, careful)
    await eventually('a statement waits, and is ended', async () => {
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
  expect(refused(response)).toEqual([503, 'search_unavailable'])
  expect(response.headers.get('retry-after')).not.toBeNull()
  expect(await creditsUsed(careful)).toBe(0)
})
