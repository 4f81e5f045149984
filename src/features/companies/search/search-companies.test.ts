import { licenseStatuses } from '@baize/registers/entries'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import { type DemoRecord, readDemoRecords } from '../../../../test/harness/demo-world.ts'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'
import { companyRoles, paymentCategories } from '../../value-sets.ts'

const path = '/v1/companies/search'

let service: TestService
let customer: Customer
let records: DemoRecord[]
const misfits = declaredData('search_companies')
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 10_000_000 })
  records = await readDemoRecords()
})
afterAll(() => service.close())

type Parameters = Record<string, string | number | boolean>
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
type Row = any

const pathOf = (parameters: Parameters) =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`

async function search(parameters: Parameters) {
  const { status, body } = await customer.ask(pathOf({ page_size: 100, ...parameters }))
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return body.data
}

const namesOf = (hits: Row[]): string[] => hits.map(hit => hit.company_name)
const sorted = (names: string[]) => names.toSorted()
const companies = () => records.filter(record => record.kind === 'company')

describe('Company search by text', () => {
  test.each([
    ['its name', 'Ottermoor Gaming', 'company_name'],
    ['its name in another case', 'oTTERMOOR gAMING', 'company_name'],
    ['its name between blanks', '  Ottermoor Gaming ', 'company_name'],
    ['its legal entity', 'Ottermoor Gaming Limited', 'legal_entity'],
    ['its legal entity, the form spelt otherwise', 'ottermoor gaming ltd.', 'legal_entity'],
    ['its legal entity without blanks', 'OttermoorGamingLimited', 'legal_entity'],
    ['a brand', 'otter royale', 'brand'],
    ['a domain', 'luckyotter-ie.example', 'domain'],
  ])('a text that is %s puts its Company first, and identifies the Company', async (_, q, type) => {
    const data = await search({ q })
    expect(data.hits[0]).toMatchObject({ company_name: 'Ottermoor Gaming', rank: 1 })
    expect(data).toMatchObject({ answered: true, answer_basis: 'identity' })
    expect(data.identity_match).toMatchObject({
      type,
      company_ref: data.hits[0].company_ref,
      company_name: 'Ottermoor Gaming',
      legal_entity: 'Ottermoor Gaming Limited',
    })
    expect(data.identity_match.aliases).toContain('Ottermoor')
    expect(data.hits[0].matched_fields.length).toBeGreaterThan(0)
    expect(Object.values(data.hits[0].highlight).join()).toContain('<em>')
  })

  test('a text that is the name of a Company of the demo world puts the Company first', async () => {
    for (const { company_name: name } of companies()) {
      const { hits, answered } = await search({ q: String(name) })
      expect([namesOf(hits)[0], answered], String(name)).toEqual([name, true])
    }
  })

  test('a text that is part of a name finds the Company without identifying it', async () => {
    const data = await search({ q: 'otter' })
    expect(namesOf(data.hits)).toContain('Ottermoor Gaming')
    expect(data).toMatchObject({ identity_match: null, answered: false, answer_basis: 'text' })
  })

  test('a text with a typing error finds similar names, and the answer says so', async () => {
    const data = await search({ q: 'Grenfinch' })
    expect(namesOf(data.hits)).toEqual(['Greenfinch Entertainment'])
    expect(data).toMatchObject({ total: 1, identity_match: null, answered: false, answer_basis: 'similar' })
  })

  test('a text without matches returns a free empty page', async () => {
    const data = await search({ q: 'nobody of that name' })
    expect(data).toMatchObject({
      total: 0,
      hits: [],
      next_cursor: null,
      identity_match: null,
      answered: false,
      answer_basis: null,
      credits_charged: 0,
      billing: { billing_reason: 'no_results', returned_count: 0, credits_charged: 0 },
    })
    expect(data.facet_counts.flatMap(({ values }: Row) => values)).toEqual([])
  })

  test('a text that names a Company excluded by the filters does not identify it', async () => {
    const data = await search({ q: 'Finchspins', geo: 'IE' })
    expect(namesOf(data.hits)).toEqual(['Magpie Treasury'])
    expect(data.identity_match).toMatchObject({ type: 'brand', company_ref: null, company_name: null })
    expect(data.answered).toBe(false)
    expect(data.answer_basis).not.toBe('identity')
  })

  test.each([
    ['a page past the last', { q: 'Ottermoor Gaming', page: 2 }, true],
    ['a page past the last of a domain', { domain: 'luckyotter.example', page: 2, max_credits: 0 }, null],
    ['filters that no Company passes', { q: 'Ottermoor Gaming', domain: 'pikebet.example' }, false],
  ])('a text identifies no Company on a free page: %s', async (_, parameters: Parameters, isAnswered) => {
    const data = await search(parameters)
    expect(data).toMatchObject({ hits: [], answered: isAnswered, billing: { credits_charged: 0 } })
    expect(data.identity_match).toEqual({
      type: parameters.q === undefined ? 'domain' : 'company_name',
      name: parameters.q ?? parameters.domain,
      aliases: [],
      official_domain: null,
      company_ref: null,
      company_name: null,
      legal_entity: null,
    })
  })

  test('a page without the row of the identified Company does not reveal the Company', async () => {
    const first = await search({ q: 'Finchspins', page_size: 1 })
    expect(first.identity_match).toMatchObject({ company_ref: first.hits[0].company_ref })
    const second = await search({ q: 'Finchspins', page_size: 1, page: 2 })
    expect(second.hits).toHaveLength(1)
    const { type } = first.identity_match
    expect(second.identity_match).toEqual({
      type,
      name: 'Finchspins',
      aliases: [],
      official_domain: null,
      company_ref: null,
      company_name: null,
      legal_entity: null,
    })
  })

  test('every page of a search has answered=true if the text identifies a Company', async () => {
    const whole = await search({ q: 'Finchspins' })
    expect(whole).toMatchObject({ answered: true, answer_basis: 'identity' })
    expect(whole.total).toBeGreaterThan(1)
    for (const page of [2, 50]) {
      const { answered, answer_basis } = await search({ q: 'Finchspins', page, page_size: 1 })
      expect([answered, answer_basis]).toEqual([true, 'identity'])
    }
  })

  test('a text is not searched in payment methods, suppliers and platforms', async () => {
    const suppliers = await search({ q: 'marmot-wallet' })
    expect(namesOf(suppliers.hits)).toEqual(['Marmot Wallet'])
    expect(namesOf((await search({ q: 'Copperbeam' })).hits)).toEqual(['Copperbeam'])
  })
})

describe('Company search without a text', () => {
  test('a search without a text lists every Company, without score or answer', async () => {
    const data = await search({})
    expect(sorted(namesOf(data.hits))).toEqual(sorted(companies().map(each => String(each.company_name))))
    expect(data).toMatchObject({ query: {}, identity_match: null, answered: null, answer_basis: 'filters' })
    for (const hit of data.hits) expect(hit).toMatchObject({ score: null, matched_fields: [], highlight: {} })
    const completeness = data.hits.map((hit: Row) => hit.data_completeness)
    expect(completeness).toEqual(completeness.toSorted((one: number, other: number) => other - one))
  })

  test('the filter domain lists exactly the Companies of a site, in any spelling', async () => {
    const { database } = service.service.live
    const { rows } = await sql<{ domain: string; names: string[] }>`
      select domain.domain, array_agg(distinct company.company_name) as names
        from domain_companies relation
        join domains domain on domain.id = relation.domain_id
        join companies company on company.id = relation.company_id
       where relation.known_to is null
       group by domain.domain`.execute(database)
    expect(rows.some(({ names }) => names.length > 1)).toBe(true)
    for (const { domain, names } of rows) {
      const data = await search({ domain: `https://WWW.${domain.toUpperCase()}/casino` })
      expect(sorted(namesOf(data.hits)), domain).toEqual(sorted(names))
      expect(data.query).toEqual({ domain })
      expect([data.answered, data.answer_basis]).toEqual([null, 'filters'])
    }
  })

  test('a search by a site that is unknown or has no Company returns an empty page', async () => {
    for (const domain of ['jackpot-otter.test', 'neverheard.example'])
      expect(await search({ domain })).toMatchObject({ total: 0, hits: [], credits_charged: 0 })
  })
})

describe('filters of Company search', () => {
  /** Checks by a hit's own fields that it matches a filter. */
  const passes: Record<string, (hit: Row, value: Row) => boolean> = {
    role: (hit, value) => hit.role.includes(value),
    jurisdiction: (hit, value) => hit.jurisdictions.includes(value),
    license_status: (hit, value) => hit.license_statuses.includes(value),
    payment_category: (hit, value) => hit.payment_categories.includes(value),
    has_platform: (hit, value) => hit.platform_present === value,
    affiliate_program: (hit, value) => hit.affiliate_program_present === value,
    geo: (hit, value) => hit.geo_hints.includes(value),
  }
  const filters = fc.record(
    {
      role: fc.constantFrom(...companyRoles),
      jurisdiction: fc.constantFrom('ukgc', 'mga', 'poland', 'sweden', 'curacao', 'tobique'),
      license_status: fc.constantFrom(...licenseStatuses),
      payment_category: fc.constantFrom(...paymentCategories),
      has_platform: fc.boolean(),
      affiliate_program: fc.boolean(),
      geo: fc.constantFrom('GB', 'PL', 'MT', 'SE'),
    },
    { requiredKeys: [] },
  )

  test('filters return exactly the Companies with every requested value, in the same order', async () => {
    const { hits: all } = await search({})
    await fc.assert(
      fc.asyncProperty(filters, async parameters => {
        const expected = all.filter((hit: Row) =>
          Object.entries(parameters).every(([name, value]) => passes[name]?.(hit, value)),
        )
        const data = await search(parameters as Parameters)
        expect(namesOf(data.hits)).toEqual(namesOf(expected))
        expect([data.total, data.query]).toEqual([expected.length, parameters])
      }),
      { numRuns: 60 },
    )
  })

  test('each facet count equals the number of rows that its value returns', async () => {
    const narrow: Parameters[] = [{}, { role: 'operator' }, { q: 'otter' }, { q: 'gaming', geo: 'GB' }]
    for (const parameters of narrow) {
      const { facet_counts: facets, hits } = await search(parameters)
      expect(facets.map(({ field }: Row) => field)).toEqual(Object.keys(passes))
      for (const { field, values } of facets) {
        for (const { value, count } of values) {
          const typed = value === 'true' || value === 'false' ? value === 'true' : value
          expect(count, `${field}=${value}`).toBe(
            hits.filter((hit: Row) => passes[field]?.(hit, typed)).length,
          )
          if (!(field in parameters))
            expect((await search({ ...parameters, [field]: value })).total).toBe(count)
        }
      }
    }
  })

  test('a license status is matched in any spelling', async () => {
    const { hits } = await search({ license_status: 'revoked' })
    expect(namesOf(hits)).toContain('Badger & Sons')
    for (const license_status of ['Revoked', ' REVOKED ', 'Revoked - Non Payment of Fee']) {
      const found = await search({ license_status })
      expect([namesOf(found.hits), found.query]).toEqual([namesOf(hits), { license_status: 'revoked' }])
    }
  })

  /** Returns the Companies that currently have a relation to one of these domains. */
  async function companiesOf(domains: string[]): Promise<string[]> {
    const { rows } = await sql<{ company_name: string }>`
      select distinct company.company_name
        from domain_companies relation
        join domains domain on domain.id = relation.domain_id
        join companies company on company.id = relation.company_id
       where relation.known_to is null
         and domain.domain = any (${domains})`.execute(service.service.live.database)
    return sorted(rows.map(row => row.company_name))
  }

  const dayMs = 86_400_000
  /** Returns the sites with a current observation: within 30 days before the site's latest one. */
  function sitesShowing(field: string, value: string): string[] {
    const all = records.filter(record => record.kind === 'observation')
    const seen = (each: DemoRecord) => Date.parse(each.last_seen_at)
    const latest = (domain: string) =>
      Math.max(...all.filter(each => each.domain === domain).map(each => seen(each)))
    return all
      .filter(each => each[field] === value && seen(each) >= latest(each.domain) - 30 * dayMs)
      .map(each => each.domain)
  }

  test('payment_method and supplier_brand match current observations in any case', async () => {
    for (const [parameter, field] of [
      ['payment_method', 'normalized_name'],
      ['supplier_brand', 'normalized_provider_name'],
    ] as const) {
      const values = new Set(records.map(record => record[field]).filter(value => typeof value === 'string'))
      expect(values.size).toBeGreaterThan(3)
      for (const value of values) {
        const expected = await companiesOf(sitesShowing(field, value))
        for (const spelt of [value, value.toUpperCase(), ` ${value} `]) {
          const { hits } = await search({ [parameter]: spelt })
          expect(sorted(namesOf(hits)), `${parameter}=${spelt}`).toEqual(expected)
        }
      }
    }
  })

  test("the filter platform matches a reviewed platform's key, name and alias alone", async () => {
    const readings = records.filter(record => record.kind === 'platform_reading')
    const latest = (domain: string) =>
      readings
        .filter(reading => reading.domain === domain)
        .sort((one, other) => Date.parse(String(one.seen_at)) - Date.parse(String(other.seen_at)))
        .at(-1)?.platform
    for (const platform of records.filter(record => record.kind === 'platform')) {
      const runs = [...new Set(readings.map(each => each.domain))].filter(
        each => latest(each) === platform.key,
      )
      const expected = platform.reviewed === true ? await companiesOf(runs) : []
      const spellings = [platform.key, platform.name, ...((platform.aliases as string[] | undefined) ?? [])]
      for (const spelt of spellings.flatMap(each => [String(each), String(each).toUpperCase()])) {
        const { hits, credits_charged } = await search({ platform: spelt })
        expect(sorted(namesOf(hits)), spelt).toEqual(expected)
        expect(credits_charged).toBe(expected.length)
      }
    }
  })

  test('a filter value that no row has returns a free empty page', async () => {
    for (const parameters of [
      { payment_method: 'cowries' },
      { supplier_brand: "Robert'); drop table companies;--" },
      { platform: 'nobody' },
      { geo: 'Atlantis' },
      { jurisdiction: 'tobique' },
    ])
      expect(await search(parameters as Parameters)).toMatchObject({ total: 0, hits: [], credits_charged: 0 })
  })
})

describe('a row of Company search', () => {
  test('a row of Company search has categories and counts, and no list that resolve sells', async () => {
    const { hits } = await search({ q: 'Ottermoor Gaming' })
    expect(hits[0]).toEqual({
      company_ref: expect.stringMatching(/^co_/),
      company_name: 'Ottermoor Gaming',
      legal_entity: 'Ottermoor Gaming Limited',
      subject_kind: 'legal_entity',
      role: ['operator'],
      primary_domain: expect.objectContaining({ domain: expect.any(String) }),
      domains_sample: expect.any(Array),
      domain_count: expect.any(Number),
      jurisdictions: expect.arrayContaining(['ireland', 'mga', 'sweden', 'ukgc']),
      license_statuses: ['active'],
      license_count: 4,
      payment_categories: expect.arrayContaining(['card', 'ewallet', 'open_banking']),
      payment_method_count: expect.any(Number),
      supplier_brand_count: expect.any(Number),
      platform_present: true,
      affiliate_program_present: true,
      geo_hints: expect.arrayContaining(['GB', 'MT', 'IE']),
      data_completeness: expect.any(Number),
      last_observed_at: expect.any(String),
      last_updated_at: expect.any(String),
      rank: 1,
      score: expect.any(Number),
      matched_fields: expect.arrayContaining(['company_name']),
      highlight: expect.any(Object),
      firmographics_available: expect.any(Boolean),
      contacts_available: expect.any(Boolean),
    })
    const text = JSON.stringify(hits[0]).replaceAll(/"(co|dom)_\w+"/g, '')
    expect(text).not.toMatch(/visa|mastercard|Brass Turnip|Copperbeam|990100001/i)
  })
})
