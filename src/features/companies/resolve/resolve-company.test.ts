import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../../test/harness/client.ts'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { demoKey } from '../../../core/api-key.ts'
import { day } from '../../../registers/fixture.ts'
import { mergeCompanies } from '../index.ts'
import {
  type CompanyService,
  creditsUsed,
  entry,
  namesOf,
  type Parameters,
  refused,
  resolvePath,
  startCompanyService,
} from './fixture.ts'

const schemaErrors = declaredData('resolve_company')

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

const answer = (parameters: Parameters) => service.answer(parameters)
const code = async (parameters: Parameters) => refused(await service.resolve(parameters))
const none = [404, 'not_found']

describe('the profile of a Company', () => {
  test('a profile returns all data about the Company', async () => {
    const { companies } = await answer({ name: 'Janus Play' })
    expect(companies).toEqual([
      {
        company_ref: await service.refOf('import:janusplay'),
        company_name: 'Janus Play',
        legal_entity: 'Janus Play ApS',
        subject_kind: 'legal_entity',
        role: ['operator'],
        country: 'DK',
        matched_as: [],
        brands: ['Twofaced'],
        domains: [
          entry('janusplay-group.example', null),
          entry('twofaced-live.example', 'DK'),
          entry('twofaced.example', 'DK'),
        ],
        licenses: [
          {
            license_ref: expect.stringMatching(/^lic_\w{20}$/),
            jurisdiction: 'denmark',
            license_number: '24-9901001',
            status: 'active',
            license_type: 'Onlinekasino',
            authorized_domains: [entry('twofaced-live.example', 'DK'), entry('twofaced.example', 'DK')],
          },
        ],
        apps: [],
        payment_methods: ['bank-transfer', 'marmot-wallet', 'mastercard'],
        payment_categories: ['bank_transfer', 'card', 'ewallet'],
        supplier_brands: ['Paper Walrus', 'Quantum Gherkin'],
        platform_brands: ['Tidewheel'],
        groups: [],
        affiliate_program: true,
        geo_hints: ['DK', 'PL'],
        evidence_routes: ['register', 'website'],
        data_completeness: expect.any(Number),
        last_observed_at: '2026-06-15T12:15:00.000Z',
        last_updated_at: expect.any(String),
      },
    ])
  })

  test('a profile lists apps, and only payment methods that are currently observed', async () => {
    const [otter] = (await answer({ name: 'Ottermoor' })).companies
    expect(otter.apps.map((app: { store: string }) => app.store)).toEqual(['google_play', 'app_store'])
    expect([otter.payment_methods.includes('visa'), otter.payment_methods.includes('coinfetti')]).toEqual([
      true,
      false,
    ])
  })

  test('a profile lists only reviewed platforms', async () => {
    expect((await answer({ name: 'Pebble & Pike' })).companies[0].platform_brands).toEqual(['Understudy'])
  })

  test('a profile includes the brands of its domains, and the Company is found by these brands', async () => {
    const [gull] = (await answer({ name: 'Wiped Slate' })).companies
    expect([gull.company_name, gull.brands]).toEqual(['Gull & Bull', ['Gull & Bull', 'Wiped Slate']])
  })

  test('a profile has no legal entity if no source filed one', async () => {
    const [gull] = (await answer({ name: 'Gull & Bull' })).companies
    expect([gull.legal_entity, gull.subject_kind, gull.country]).toEqual([null, 'trade_name', 'KM'])
  })

  test('a profile of a Company with only a name has every member, empty or null', async () => {
    await service.load(day(1), { kind: 'company', key: 'blank', company_name: 'Blank of the Marsh' })
    expect((await answer({ name: 'Blank of the Marsh' })).companies).toEqual([
      {
        company_ref: expect.any(String),
        company_name: 'Blank of the Marsh',
        legal_entity: null,
        subject_kind: 'unknown',
        role: ['unknown'],
        country: null,
        matched_as: [],
        brands: [],
        domains: [],
        licenses: [],
        apps: [],
        payment_methods: [],
        payment_categories: [],
        supplier_brands: [],
        platform_brands: [],
        groups: [],
        affiliate_program: false,
        geo_hints: [],
        evidence_routes: [],
        data_completeness: 0.12,
        last_observed_at: null,
        last_updated_at: day(1).toISOString(),
      },
    ])
  })

  test('a profile lists all of a thousand domains', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => ({
      kind: 'domain',
      domain: `mirror-${index}.example`,
      company: 'thousand',
      relation: 'brand_owner',
    }))
    await service.load(
      day(1),
      { kind: 'company', key: 'thousand', company_name: 'Thousand Mirrors' },
      ...lines,
    )
    const [company] = (await answer({ name: 'Thousand Mirrors' })).companies
    expect(company.domains).toHaveLength(1_000)
  })
})

describe('Company resolve by company_ref', () => {
  test('a company_ref is exclusive: other identifiers are ignored and never conflict', async () => {
    const company_ref = await service.refOf('import:janusplay')
    const others = {
      license_number: 'MGA/B2C/9901/2019',
      jurisdiction: 'ukgc',
      domain: '10.0.0.1',
      legal_entity: 'No One',
      name: 'Cloudberry',
      domain_ref: 'dom_x',
    }
    const data = await answer({ company_ref, ...others })
    expect(data).toMatchObject({
      resolved_by: 'company_ref',
      ignored_inputs: others,
      input_company_ref: company_ref,
      resolved_company_ref: company_ref,
      ref_status: 'active',
    })
    expect(namesOf(data)).toEqual(['Janus Play'])
  })

  test('an unknown company_ref is 404', async () => {
    expect(await code({ company_ref: `co_${'x'.repeat(20)}`, name: 'Lucky Otter' })).toEqual(none)
  })

  test('the ref of a merged Company returns the surviving Company, with ref_status merged', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'stays', company_name: 'Stays' },
      { kind: 'company', key: 'leaves', company_name: 'Leaves', brands: ['Leafy'] },
      { kind: 'domain', domain: 'leaves.example', company: 'leaves', relation: 'licensee' },
      { kind: 'license', jurisdiction: 'mga', license_number: 'LEAF-1', company: 'leaves' },
    )
    const [from, into] = [await service.refOf('import:leaves'), await service.refOf('import:stays')]
    await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: day(2) })
    const data = await answer({ company_ref: from })
    expect(data).toMatchObject({
      input_company_ref: from,
      resolved_company_ref: into,
      ref_status: 'merged',
      companies: [{ company_ref: into, company_name: 'Stays', brands: ['Leafy'] }],
    })
    expect(data.companies[0].domains).toEqual([entry('leaves.example', null)])
    for (const parameters of [
      { name: 'Leafy' },
      { name: 'leaves' },
      { domain: 'leaves.example' },
      { license_number: 'leaf-1' },
      { company_ref: into },
    ])
      expect(await answer(parameters), JSON.stringify(parameters)).toMatchObject({
        resolved_company_ref: into,
        ref_status: 'active',
      })
  })
})

test('invalid parameters of Company resolve are 400, free of charge', async () => {
  const rejected: [Parameters, string][] = [
    [{}, 'missing_parameter'],
    [{ domain_ref: 'dom_x' }, 'missing_parameter'],
    [{ license_number: '1', jurisdiction: 'atlantis' }, 'invalid_parameter'],
    [{ name: 'x', 'include[]': 'contacts' }, 'unknown_include'],
    [{ name: 'x', max_age_days: -1 }, 'invalid_parameter'],
    [{ name: 'x', max_age_days: 3_651 }, 'invalid_parameter'],
    [{ name: 'x', max_age_days: 0.5 }, 'invalid_parameter'],
    [{ name: 'x', allow_stale_on_error: 'yes' }, 'invalid_parameter'],
    [{ name: ' \t ' }, 'invalid_parameter'],
    [{ name: 'x'.repeat(501) }, 'invalid_parameter'],
    [{ company_ref: '' }, 'invalid_parameter'],
    [{ q: 'otter' }, 'unknown_parameter'],
    [{ name: ['a', 'b'] }, 'invalid_parameter'],
  ]
  const buyer = await service.customer()
  const answers = await Promise.all(
    rejected.map(async ([parameters]) => [parameters, refused(await service.resolve(parameters, buyer))]),
  )
  expect(answers).toEqual(rejected.map(([parameters, error]) => [parameters, [400, error]]))
  expect(await creditsUsed(buyer)).toBe(0)
})

test('Company resolve without a key is 401', async () => {
  const { status, body } = await service.ask(`${resolvePath}?name=Lucky+Otter`)
  expect([status, body.message, body.errors]).toEqual([401, 'Unauthorized', {}])
})

describe('the bill of Company resolve', () => {
  test('a profile costs 3 credits, in data, billing, headers and balance', async () => {
    const buyer = await service.customer({ credits: 10 })
    const { body, headers } = await service.resolve({ name: 'Lucky Otter', max_credits: 3 }, buyer)
    expect(body.data.billing).toEqual({
      returned_count: 1,
      credits_per_profile: 3,
      credits_charged: 3,
      billing_reason: 'company_profile_delivered',
      max_credits: 3,
    })
    expect([headers.get('x-credits-charged'), headers.get('x-credits-remaining')]).toEqual(['3', '7'])
    expect([body.data.credits_charged, await creditsUsed(buyer)]).toEqual([3, 3])
  })

  test('Company resolve is 402 if max_credits is below the price of all profiles', async () => {
    const buyer = await service.customer()
    const { status, body, headers } = await service.resolve(
      { domain: 'pikebet.example', max_credits: 5 },
      buyer,
    )
    expect([status, body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 6, max_credits: 5 } },
    ])
    expect([headers.get('x-should-retry'), await creditsUsed(buyer)]).toEqual(['false', 0])
  })

  test('Company resolve is 429, without data, if the balance does not cover all profiles', async () => {
    const buyer = await service.customer({ credits: 5 })
    const { status, body } = await service.resolve({ domain: 'pikebet.example' }, buyer)
    expect([status, body.errors]).toEqual([
      429,
      { code: 'quota_exceeded', details: { granted: 5, used: 0, reserved: 0, required: 6 } },
    ])
    expect(body).not.toHaveProperty('data')
  })

  test('a replay of a profile is free and has the same bytes, even after the Company changed', async () => {
    const buyer = await service.customer({ credits: 3 })
    const keyed = { 'idempotency-key': 'one-profile' }
    await service.load(day(1), { kind: 'company', key: 'replayed', company_name: 'Replayed' })
    const first = await service.resolve({ name: 'Replayed' }, buyer, keyed)
    await service.load(day(2), { kind: 'company', key: 'replayed', company_name: 'Renamed' })
    const again = await service.resolve({ name: 'Replayed' }, buyer, keyed)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(refused(await service.resolve({ name: 'Renamed' }, buyer, keyed))).toEqual([
      409,
      'idempotency_key_reused',
    ])
    expect(await creditsUsed(buyer)).toBe(3)
  })

  test('a failed Company resolve does not use up its Idempotency-Key', async () => {
    const buyer = await service.customer()
    const keyed = { 'idempotency-key': 'later' }
    expect(refused(await service.resolve({ name: 'Comes Later' }, buyer, keyed))).toEqual(none)
    await service.load(day(1), { kind: 'company', key: 'later', company_name: 'Comes Later' })
    expect((await service.resolve({ name: 'Comes Later' }, buyer, keyed)).status).toBe(200)
  })
})

test('service_unavailable: a lost database connection is a free 503 with Retry-After', async () => {
  const buyer = await service.customer()
  const response = await withClient(service.database.connection, async client => {
    await client.query('begin; lock table companies in access exclusive mode')
    const answering = service.resolve({ name: 'Lucky Otter' }, buyer)
    await eventually('a waiting statement is terminated', async () => {
      await client.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and application_name = 'baize public'`,
      )
      return rowCount
    })
    await client.query('rollback')
    return answering
  })
  expect(refused(response)).toEqual([503, 'service_unavailable'])
  expect([response.headers.get('retry-after'), await creditsUsed(buyer)]).toEqual(['2', 0])
  expect((await service.resolve({ name: 'Lucky Otter' }, buyer)).status).toBe(200)
})

describe('the demo key', () => {
  const demo = (query: string) => service.ask(`${resolvePath}?${query}`, { key: demoKey })

  test('the demo key resolves its templates for free, with a simulated price', async () => {
    const { status, body } = await demo('company_ref=co_d01f236ab1748d78740a')
    expect([status, schemaErrors(body.data)]).toEqual([200, null])
    expect(body.data).toMatchObject({
      companies: [{ company_name: 'Ottermoor Gaming' }],
      billing: { billing_reason: 'simulated', credits_charged: 3 },
      credits_charged: 0,
      demo: true,
      simulated: true,
    })
  })

  test('the demo key answers any other request with a 403 that lists its templates', async () => {
    const { status, body } = await demo('name=Janus+Play')
    expect([status, body.errors.code]).toEqual([403, 'demo_key_restricted'])
    expect(body.errors.details.templates).toContain(`http://baize.test${resolvePath}?name=Lucky+Otter`)
  })
})
