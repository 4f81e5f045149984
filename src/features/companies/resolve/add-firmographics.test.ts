import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoKey } from '../../../core/api-key.ts'
import { day } from '../../../registers/fixture.ts'
import { mergeCompanies } from '../index.ts'
import {
  type CompanyService,
  creditsUsed,
  entry,
  type Parameters,
  refused,
  resolvePath,
  startCompanyService,
} from './fixture.ts'

const firmographics = { 'include[]': 'firmographics' }

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo' })
})
afterAll(() => service.close())

const answer = (parameters: Parameters) => service.answer({ ...firmographics, ...parameters })

type Result = { domain: { domain: string; domain_ref: string }; available: boolean; [field: string]: unknown }

const resultsOf = ({ companies }: { companies: { firmographics: Result[] }[] }) =>
  companies.map(company => company.firmographics)
const domainsOf = (results: Result[]) => results.map(result => result.domain.domain)

async function refOf(name: string, domain: string): Promise<string> {
  const [company] = (await service.answer({ name })).companies
  return company.domains.find((each: { domain: string }) => each.domain === domain).domain_ref
}

describe('firmographics', () => {
  test('firmographics are omitted unless the request includes them', async () => {
    const data = await service.answer({ name: 'Ottermoor', max_age_days: 0, allow_stale_on_error: false })
    expect(data.companies[0]).not.toHaveProperty('firmographics')
    expect(data.billing).not.toHaveProperty('breakdown')
    expect(data.credits_charged).toBe(3)
  })

  test('firmographics have one result per Domain of the Company, in the order of its domains', async () => {
    const data = await answer({ name: 'Ottermoor' })
    const [results] = resultsOf(data)
    expect(results?.map(result => result.domain)).toEqual(data.companies[0].domains)
    expect(results?.filter(result => result.available).map(result => result.domain.domain)).toEqual([
      'luckyotter.example',
      'ottermoor-gaming.example',
    ])
  })

  test('firmographics return stored data, or "not_resolved" for a Domain without data', async () => {
    const [results] = resultsOf(await answer({ name: 'Ottermoor' }))
    const refresh = { attempted: false, status: 'not_attempted', reason: null, attempted_at: null }
    expect(results?.find(result => result.domain.domain === 'luckyotter.example')).toEqual({
      domain: entry('luckyotter.example', 'GB'),
      available: true,
      cached: true,
      stale: expect.any(Boolean),
      reason: null,
      fetched_at: '2026-09-14T10:20:00.000Z',
      refresh,
      data: {
        name: 'Ottermoor Gaming',
        description: 'Runs the casino Lucky Otter and the slots of Otter Royale from Malta.',
        industry: 'Gambling Facilities and Casinos',
        company_size: [51, 200],
        employee_count: 148,
        founded_year: 2012,
        headquarters: { city: 'Sliema', region: null, country: 'MT', postal_code: 'SLM 9901' },
        website: 'https://ottermoor-gaming.example',
        linkedin_url: 'https://network.example/company/ottermoor-gaming',
      },
    })
    expect(results?.find(result => result.domain.domain === 'otterroyale.example')).toEqual({
      domain: entry('otterroyale.example', 'MT'),
      available: false,
      cached: false,
      stale: false,
      reason: 'not_resolved',
      fetched_at: null,
      refresh,
      data: null,
    })
  })

  test('firmographics are an empty list for a Company without Domains', async () => {
    const data = await answer({ name: 'Cloudberry Media' })
    expect([resultsOf(data), data.credits_charged]).toEqual([[[]], 3])
  })

  test('firmographics with a domain_ref have only the selected Domain', async () => {
    const domain_ref = await refOf('Ottermoor', 'otterroyale.example')
    const data = await answer({ name: 'Ottermoor', domain_ref })
    expect(resultsOf(data).map(domainsOf)).toEqual([['otterroyale.example']])
    expect(data.ignored_inputs).toEqual({})
  })

  test('firmographics of a selected Domain appear only in the profile of its Company', async () => {
    const domain_ref = await refOf('Pebble & Pike', 'pebbleandpike.example')
    const data = await answer({ domain: 'pikebet.example', domain_ref })
    expect(resultsOf(data).map(domainsOf)).toEqual([['pebbleandpike.example'], []])
  })

  test('firmographics for a domain_ref of another Company answer 404, as for an unknown one', async () => {
    const buyer = await service.customer()
    for (const domain_ref of [await refOf('Janus Play', 'twofaced.example'), 'dom_nobody']) {
      const refusal = await service.resolve({ name: 'Ottermoor', domain_ref, ...firmographics }, buyer)
      expect(refused(refusal)).toEqual([404, 'not_found'])
    }
    expect(await creditsUsed(buyer)).toBe(0)
  })

  test('domain_ref is returned as ignored if firmographics are not requested or not delivered', async () => {
    const data = await service.answer({ name: 'Ottermoor', domain_ref: 'dom_nobody' })
    expect(data.ignored_inputs).toEqual({ domain_ref: 'dom_nobody' })
    const choice = await answer({ name: 'Cloudberry', domain_ref: 'dom_nobody' })
    expect(choice.ignored_inputs).toEqual({ domain_ref: 'dom_nobody' })
  })

  test('age parameters are returned as ignored if firmographics are not requested or delivered', async () => {
    const age = { max_age_days: 7, allow_stale_on_error: false }
    for (const query of [{ name: 'Ottermoor' }, { name: 'Cloudberry', ...firmographics }])
      expect((await service.answer({ ...query, ...age })).ignored_inputs).toEqual(age)
    expect((await answer({ name: 'Ottermoor', ...age })).ignored_inputs).toEqual({})
    const usual = await service.answer({ name: 'Ottermoor', allow_stale_on_error: true })
    expect(usual.ignored_inputs).toEqual({})
  })

  test('firmographics of merged Companies are in the profile of the surviving Company', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'into', company_name: 'Merged Into' },
      { kind: 'company', key: 'from', company_name: 'Merged From' },
      { kind: 'domain', domain: 'merged.example', company: 'from', relation: 'licensee' },
      { kind: 'firmographics', domain: 'merged.example', name: 'Merged' },
    )
    const [from, into] = [await service.refOf('import:from'), await service.refOf('import:into')]
    await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: day(2) })
    const data = await answer({ company_ref: from })
    expect([data.resolved_company_ref, resultsOf(data).map(domainsOf)]).toEqual([into, [['merged.example']]])
  })
})

describe('max_age_days', () => {
  const otter = async (parameters: Parameters) => {
    const domain_ref = await refOf('Ottermoor', 'luckyotter.example')
    const data = await answer({ name: 'Ottermoor', domain_ref, ...parameters })
    const [result] = resultsOf(data).flat() as [Result & { refresh: Result }]
    const { available, stale, reason, refresh } = result
    return [available, stale, reason, refresh.status, refresh.reason, data.credits_charged]
  }

  test('firmographics within max_age_days are delivered unchanged', async () => {
    expect(await otter({ max_age_days: 3_650 })).toEqual([true, false, null, 'not_attempted', null, 15])
  })

  test('firmographics older than max_age_days are stale if there is no source to refresh them', async () => {
    const gone = 'source_unavailable'
    expect(await otter({ max_age_days: 0 })).toEqual([true, true, null, 'not_attempted', gone, 15])
  })

  test('allow_stale_on_error=false makes stale firmographics unavailable and free', async () => {
    const gone = 'source_unavailable'
    expect(await otter({ max_age_days: 0, allow_stale_on_error: false })).toEqual([
      false,
      true,
      gone,
      'not_attempted',
      gone,
      3,
    ])
  })
})

describe('the bill of firmographics', () => {
  test('a bill adds 12 credits for each Domain with firmographics, itemised in the breakdown', async () => {
    const buyer = await service.customer({ credits: 100 })
    const { body } = await service.resolve({ name: 'Ottermoor', max_credits: 63, ...firmographics }, buyer)
    expect(body.data.billing).toEqual({
      returned_count: 1,
      credits_per_profile: 3,
      credits_charged: 27,
      billing_reason: 'company_profile_delivered',
      max_credits: 63,
      breakdown: [
        { key: 'company.profile', units: 1, credits_per_unit: 3, credits_charged: 3 },
        { key: 'company.firmographics', units: 2, credits_per_unit: 12, credits_charged: 24 },
      ],
    })
    expect(await creditsUsed(buyer)).toBe(27)
  })

  test('a bill has no line for firmographics if no Domain has results', async () => {
    const { billing } = await answer({ name: 'Hedgehog Fortune' })
    expect([billing.credits_charged, billing.breakdown]).toEqual([
      3,
      [{ key: 'company.profile', units: 1, credits_per_unit: 3, credits_charged: 3 }],
    ])
  })

  test('firmographics are quoted for every Domain, with or without stored data', async () => {
    const buyer = await service.customer()
    const { status, body } = await service.resolve(
      { name: 'Ottermoor', max_credits: 62, ...firmographics },
      buyer,
    )
    expect([status, body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 63, max_credits: 62 } },
    ])
    const domain_ref = await refOf('Ottermoor', 'luckyotter.example')
    const one = { name: 'Ottermoor', domain_ref, ...firmographics }
    expect((await service.resolve({ ...one, max_credits: 14 }, buyer)).body.errors.details).toEqual({
      quoted_credits: 15,
      max_credits: 14,
    })
    expect(await creditsUsed(buyer)).toBe(0)
  })

  test('firmographics of a Domain that two Companies share are charged once', async () => {
    const domain_ref = await refOf('Pebble & Pike', 'pikebet.example')
    const buyer = await service.customer()
    const shared = { domain: 'pikebet.example', domain_ref, ...firmographics }
    const { body } = await service.resolve({ ...shared, max_credits: 18 }, buyer)
    expect(resultsOf(body.data).map(domainsOf)).toEqual([['pikebet.example'], ['pikebet.example']])
    expect(body.data.credits_charged).toBe(18)
  })

  test('a request for firmographics that finds several candidate Companies is free', async () => {
    expect((await answer({ name: 'Cloudberry' })).credits_charged).toBe(0)
  })

  test('a replay of firmographics is free and has the same bytes, even after the data changed', async () => {
    const buyer = await service.customer({ credits: 27 })
    const keyed = { 'idempotency-key': 'with-firmographics' }
    const query = { name: 'Replayed Otter', ...firmographics }
    const line = (name: string) => ({ kind: 'firmographics', domain: 'replayed.example', name })
    await service.load(
      day(1),
      { kind: 'company', key: 'replayed', company_name: 'Replayed Otter' },
      { kind: 'domain', domain: 'replayed.example', company: 'replayed', relation: 'licensee' },
      line('First'),
    )
    const first = await service.resolve(query, buyer, keyed)
    await service.load(day(2), line('Second'))
    const again = await service.resolve(query, buyer, keyed)
    expect([again.text, await creditsUsed(buyer)]).toEqual([first.text, 15])
    expect(resultsOf(first.body.data)[0]?.[0]?.data).toMatchObject({ name: 'First' })
  })
})

test('the demo key returns firmographics and their simulated price', async () => {
  const query = 'company_ref=co_d01f236ab1748d78740a&include[]=firmographics'
  const { status, body } = await service.ask(`${resolvePath}?${query}`, { key: demoKey })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    billing: { billing_reason: 'simulated', credits_charged: 27 },
    credits_charged: 0,
  })
})
