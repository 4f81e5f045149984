import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type DemoRecord, readDemoRecords } from '../../../test/harness/demo-world.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { observationSections } from './schemas.ts'

const path = '/v1/domains/resolve'
const otter = 'luckyotter.example'
const everything = observationSections.map(section => `&include[]=${section}`).join('')

let service: TestService
let customer: Customer
let records: DemoRecord[]
const misfits = declaredData('resolve_domain')
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 1_000_000 })
  records = await readDemoRecords()
})
afterAll(() => service.close())

function resolve(domain: string, more = '', by: Customer = customer): Promise<Response> {
  return by.ask(`${path}?domain=${encodeURIComponent(domain)}${more}`)
}

async function used(by: Customer): Promise<number> {
  return (await by.ask('/v1/account')).body.data.credits_used
}

describe('sections of observations', () => {
  /** Returns the lines of a site's section in demo/ as answers show them, in any order. */
  function stored(section: string, ...fields: string[]): unknown[] {
    const dates = ['first_seen_at', 'last_seen_at', 'last_confirmed_at']
    return records
      .filter(each => each.kind === 'observation' && each.domain === otter && each.section === section)
      .map(each =>
        Object.fromEntries([
          ...fields.map(field => [field, each[field] ?? null]),
          ...dates.map(field => [
            field,
            typeof each[field] === 'string'
              ? new Date(each[field]).toISOString()
              : expect.toSatisfy(isInstantOrNull),
          ]),
        ]),
      )
  }
  const isInstantOrNull = (value: unknown) => value === null || !Number.isNaN(Date.parse(String(value)))
  const observe = async (section: string) =>
    (await resolve(otter, `&include[]=${section}`)).body.data.observations

  test.each([
    ['payment_methods', ['normalized_name', 'category']],
    ['supplier_brands', ['normalized_provider_name']],
    ['affiliate_programs', ['program_url']],
    ['related_domains', ['related_domain_normalized', 'relationship']],
  ])('the section %s is returned as stored', async (section, fields) => {
    const expected = stored(section, ...fields)
    const shown = (await observe(section))[section]
    expect(expected.length).toBeGreaterThan(0)
    expect(shown).toHaveLength(expected.length)
    expect(shown).toEqual(expect.arrayContaining(expected))
  })

  test('the section geo is one object, or null for a site without a geo observation', async () => {
    expect((await observe('geo')).geo).toEqual(stored('geo', 'languages', 'currencies', 'geo_hints')[0])
    expect((await resolve('neverheard.example', '&include[]=geo')).body.data.observations.geo).toBeNull()
  })

  test("the section licenses has the site's licenses in registers, with their public entry", async () => {
    const expected = records
      .filter(each => each.kind === 'license' && each.authorized_domains?.includes(otter))
      .map(each => ({
        jurisdiction: each.jurisdiction,
        license_number: each.license_number,
        source_url: each.source_url ?? null,
      }))
    const { licenses } = await observe('licenses')
    expect(licenses).toHaveLength(expected.length)
    for (const each of expected) expect(licenses).toContainEqual(expect.objectContaining(each))
  })

  test('platform_history lists reviewed platforms only, the newest first, the current one open', async () => {
    const { platform_history: history } = await observe('platform_history')
    const reviewed = records
      .filter(each => each.kind === 'platform' && each.reviewed === true)
      .map(each => each.name)
    expect(history.length).toBeGreaterThan(0)
    expect(history[0].to).toBeNull()
    for (const period of history) expect(reviewed).toContain(period.platform)
    const beginnings = history.map((period: { from: string }) => period.from)
    expect(beginnings).toEqual([...beginnings].sort().reverse())
  })

  test('platform_history shows a return to a platform, and ends at a move to an unreviewed one', async () => {
    const historyOf = async (domain: string) =>
      (await resolve(domain, '&include[]=platform_history')).body.data.observations.platform_history
    const back = await historyOf('twofaced.example')
    expect(back.map((period: { platform: string }) => period.platform)).toEqual([
      'Tidewheel',
      'Hexafold',
      'Tidewheel',
    ])
    expect(back.map((period: { to: string }) => period.to)).toEqual([null, back[0].from, back[1].from])
    const [latest, ...earlier] = await historyOf('pikebet.example')
    expect(latest).toMatchObject({ platform: 'Understudy', to: expect.stringMatching(/^2026-05/) })
    expect(earlier).toEqual([])
  })

  test.each(observationSections)('include[]=%s adds that section and no other', async section => {
    const { data } = (await resolve(otter, `&include[]=${section}`)).body
    const shown = observationSections.filter(each => each in data.observations)
    expect(shown).toEqual([section])
    expect(misfits(data)).toBeNull()
  })

  test('observations are omitted if no section is requested', async () => {
    expect((await resolve(otter)).body.data).not.toHaveProperty('observations')
  })

  test('observations report their age, and that no new check was made', async () => {
    const observed = await observe('geo')
    expect(observed).toMatchObject({
      domain: otter,
      domain_normalized: otter,
      status: 'observed',
      enrichment_run: null,
    })
    expect(observed.meta).toMatchObject({
      served_from_cache: true,
      billable: false,
      observed_at: observed.last_enriched_at,
    })
    expect(observed.meta.freshness_age_seconds).toBeGreaterThanOrEqual(0)
    const absent = (await resolve('neverheard.example', '&include[]=payment_methods')).body.data.observations
    expect(absent).toMatchObject({ status: 'not_observed', last_enriched_at: null, payment_methods: [] })
    expect(absent.meta.freshness_age_seconds).toBeNull()
  })

  test('unknown_include: an unknown section is rejected before any charge', async () => {
    const careful = await service.customer()
    for (const section of ['everything', 'Logos', '', 'licenses,geo']) {
      const { status, body } = await resolve(otter, `&include[]=geo&include[]=${section}`, careful)
      expect([status, body.errors.code]).toEqual([400, 'unknown_include'])
      expect(body.errors.details.takes).toContain('platform_history')
    }
    expect(await used(careful)).toBe(0)
  })

  test('an unavailable Operator Launch Profile is reported and not charged (§4.12 rule 2)', async () => {
    const { status, body } = await resolve('twofaced.example', '&include[]=operator_launch_profile')
    expect(status).toBe(200)
    expect(body.data.observations.operator_launch_profile).toMatchObject({
      availability: 'not_available',
      reason: 'no_site_evidence',
      domain: 'twofaced.example',
    })
    expect(body.data.billing.breakdown.map((line: { key: string }) => line.key)).toEqual(['domain.verdict'])
    expect(body.data.credits_charged).toBe(1)
  })

  test('an available Operator Launch Profile has every component, and costs 5', async () => {
    const { body } = await resolve(otter, '&include[]=operator_launch_profile')
    const profile = body.data.observations.operator_launch_profile
    expect(profile.availability).toBe('available')
    expect(new Set(profile.coverage.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['included']),
    )
    expect(profile.regulatory_context.licensee.legal_name).toBe('Ottermoor Gaming Limited')
    expect(
      profile.legal_claims.map(({ claim_type, match }: { claim_type: string; match: { status: string } }) => [
        claim_type,
        match.status,
      ]),
    ).toEqual([
      ['billing_agent', 'unresolved'],
      ['licensee', 'matched'],
      ['operator', 'matched'],
    ])
    expect(
      profile.related_domains.every((each: { ownership_claimed: boolean }) => !each.ownership_claimed),
    ).toBe(true)
    expect(body.data.billing.breakdown).toMatchObject([
      { key: 'domain.verdict', credits_charged: 1 },
      { key: 'domain.operator_launch_profile', credits_charged: 5 },
    ])
    expect(body.data.credits_charged).toBe(6)
  })

  test('members that §2.10 withholds are omitted everywhere', async () => {
    const { text } = await resolve(otter, everything)
    expect(text).not.toMatch(/evidence_ref|"confidence"|"reasons"|observation_status|collection_method/)
  })
})
