import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { reviewPlatform, verifySignals } from './index.ts'

const path = '/v1/signals/platform-sites'
const now = new Date('2026-11-01T12:00:00Z')
const loadedAt = new Date('2026-10-01T00:00:00Z')
const misfits = declaredData('list_platform_sites')

let service: TestService
let customer: Customer

const load = (lines: object[], at = loadedAt) => loadLines(service.service.live, lines, { now: at })

async function page(query: string) {
  const { status, body } = await customer.ask(`${path}?role=operator&${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return body.data
}

type Site = { subject: { domain: string }; change: { occurred_at: string; last_corrected_at: string | null } }
const domainsOf = (data: { signals: Site[] }) => data.signals.map(signal => signal.subject.domain)

const reading = (domain: string, platform: string, seen_at: string) => ({
  kind: 'platform_reading',
  domain,
  platform,
  seen_at,
})
const operator = (key: string) => ({
  kind: 'company',
  key,
  company_name: key.toUpperCase(),
  role: ['operator'],
})
const site = (domain: string, company: string, more: object = {}) => ({
  kind: 'domain',
  domain,
  company,
  relation: 'brand_owner',
  ...more,
})
const platform = (key: string, reviewed: boolean, more: object = {}) => ({
  kind: 'platform',
  key,
  name: key[0]?.toUpperCase() + key.slice(1),
  reviewed,
  ...more,
})

beforeAll(async () => {
  service = await startService({ now: () => now })
  customer = await service.customer({ credits: 10_000 })
  await load([
    platform('tidewheel', true, { aliases: ['Tide Wheel'] }),
    platform('sandbag', false),
    operator('otter'),
    { kind: 'company', key: 'studio', company_name: 'Studio', role: ['game_studio'] },
    site('otter.example', 'otter', { brand: 'Lucky Otter' }),
    site('studio.example', 'studio'),
    reading('otter.example', 'tidewheel', '2025-05-05T05:05:05Z'),
    reading('otter.example', 'tidewheel', '2026-01-01T00:00:00Z'),
    reading('studio.example', 'tidewheel', '2025-01-01T00:00:00Z'),
    reading('nobody.example', 'tidewheel', '2025-01-01T00:00:00Z'),
    reading('otter.example', 'sandbag', '2026-02-02T00:00:00Z'),
  ])
})
afterEach(async () => {
  expect(await verifySignals(service.service.live.database)).toEqual([])
})
afterAll(() => service.close())

describe("a Signal of an operator's site on a reviewed platform", () => {
  test("an operator's site on a reviewed platform has one Signal, dated at the first reading", async () => {
    const data = await page('platform=tidewheel')
    expect(data).toMatchObject({
      query: { role: 'operator', platform: 'tidewheel' },
      total: 1,
      has_more: false,
      sources: [{ truth_state: 'stale', last_confirmed_at: '2026-01-01T00:00:00.000Z' }],
    })
    expect(data.signals).toEqual([
      {
        signal_ref: expect.stringMatching(/^sig_\w+$/),
        type: 'platform_new_site',
        headline: 'Lucky Otter: otter.example first observed on Tidewheel',
        platform: { key: 'tidewheel', name: 'Tidewheel' },
        subject: {
          company_ref: expect.stringMatching(/^co_\w+$/),
          role: 'operator',
          role_derived_at: loadedAt.toISOString(),
          brand: 'Lucky Otter',
          domain: 'otter.example',
        },
        change: {
          type: 'platform_first_observed',
          occurred_at: '2025-05-05T05:05:05.000Z',
          detected_at: loadedAt.toISOString(),
          last_corrected_at: null,
        },
        evidence: [
          { source_type: 'site_capture', source_url: null, observed_at: '2025-05-05T05:05:05.000Z' },
        ],
      },
    ])
  })

  test.each(['tidewheel', 'TideWheel', 'tide wheel', ' Tidewheel '])(
    'a site is found under the platform %j, with a cursor that works under all its names',
    async name => {
      const { next_cursor: cursor, query } = await page(`platform=${encodeURIComponent(name)}`)
      expect(query.platform).toBe('tidewheel')
      expect(await page(`platform=tidewheel&after=${cursor}`)).toMatchObject({
        signals: [],
        next_cursor: cursor,
      })
    },
  )

  test('later readings of the same platform give a site no second Signal', async () => {
    await load([
      reading('otter.example', 'tidewheel', '2026-09-09T00:00:00Z'),
      reading('otter.example', 'tidewheel', '2025-05-05T05:05:05Z'),
    ])
    expect(await page('platform=tidewheel')).toMatchObject({
      total: 1,
      signals: [{ change: { last_corrected_at: null } }],
    })
  })

  test('a site also gets its Signal when its Company is added or becomes an operator later', async () => {
    const { next_cursor: cursor } = await page('platform=tidewheel')
    await load([operator('newcomer'), site('nobody.example', 'newcomer')])
    await load([
      { kind: 'company', key: 'studio', company_name: 'Studio', role: ['operator', 'game_studio'] },
    ])
    const data = await page(`platform=tidewheel&after=${cursor}`)
    expect(domainsOf(data)).toEqual(['nobody.example', 'studio.example'])
    expect(data.total).toBe(3)
  })

  test('the Signal of a site with a license names its licensee instead of the brand owner', async () => {
    await load([
      operator('licensee'),
      operator('owner'),
      site('both.example', 'owner', { brand: 'Both' }),
      {
        kind: 'license',
        jurisdiction: 'mga',
        license_number: '1',
        status: 'Active',
        company: 'licensee',
        authorized_domains: ['both.example'],
      },
      reading('both.example', 'tidewheel', '2026-03-03T00:00:00Z'),
    ])
    const { signals } = await page('platform=tidewheel&occurred_from=2026-03-03')
    const { rows } = await sql<{ company_ref: string }>`
      select company_ref from companies where company_name = 'LICENSEE'`.execute(
      service.service.live.database,
    )
    expect(signals).toMatchObject([
      { subject: { company_ref: rows[0]?.company_ref, brand: 'Both', domain: 'both.example' } },
    ])
  })
})

test('an earlier reading of a platform corrects the date of a Signal, but not its place', async () => {
  const before = await page('platform=tidewheel')
  const at = new Date('2026-10-20T00:00:00Z')
  await load([reading('otter.example', 'tidewheel', '2024-04-04T00:00:00Z')], at)
  const data = await page('platform=tidewheel')
  expect(domainsOf(data)).toEqual(domainsOf(before))
  expect(data.signals[0].change).toMatchObject({
    occurred_at: '2024-04-04T00:00:00.000Z',
    detected_at: loadedAt.toISOString(),
    last_corrected_at: at.toISOString(),
  })
  expect((await page('platform=tidewheel&occurred_to=2024-12-31')).total).toBe(1)
  expect((await page('platform=tidewheel&occurred_from=2025-05-05&occurred_to=2025-05-05')).total).toBe(0)
})

describe('a platform without a review', () => {
  const url = `${path}?role=operator&platform=sandbag`

  test('a review publishes a platform and adds Signals for its earlier readings', async () => {
    expect((await customer.ask(url)).body.errors.code).toBe('unknown_platform')
    const reviewed = await reviewPlatform(service.service.live, 'sandbag', now)
    expect(reviewed).toEqual({
      platform_key: 'sandbag',
      name: 'Sandbag',
      reviewed: true,
      changed: true,
      signals: 1,
    })
    const data = await page('platform=sandbag')
    expect(domainsOf(data)).toEqual(['otter.example'])
    expect(data.signals[0].change).toMatchObject({
      occurred_at: '2026-02-02T00:00:00.000Z',
      detected_at: now.toISOString(),
    })
  })

  test('a repeated review of a platform changes nothing, and revoking it hides the platform', async () => {
    const { live } = service.service
    expect(await reviewPlatform(live, 'sandbag', now)).toMatchObject({ changed: false, signals: 0 })
    expect(await reviewPlatform(live, 'sandbag', now, { reviewed: false })).toMatchObject({
      reviewed: false,
      changed: true,
      signals: 0,
    })
    expect((await customer.ask(url)).status).toBe(400)
    expect(await reviewPlatform(live, 'sandbag', now)).toMatchObject({ changed: true, signals: 0 })
    expect((await page('platform=sandbag')).total).toBe(1)
    expect(await reviewPlatform(live, 'nowhere', now)).toBeUndefined()
  })

  test('a line of an import can review a platform', async () => {
    await load([platform('hexafold', false), reading('otter.example', 'hexafold', '2026-06-06T00:00:00Z')])
    await load([platform('hexafold', true)])
    expect(domainsOf(await page('platform=hexafold'))).toEqual(['otter.example'])
  })

  test('reviews that change something are recorded in the history, in order', async () => {
    const { rows } = await sql<{ detail: object }>`
      select detail from dataset_events where kind = 'review' order by number`.execute(
      service.service.live.database,
    )
    expect(rows.map(row => row.detail)).toEqual(
      [true, false, true].map(reviewed => ({ platform_key: 'sandbag', reviewed })),
    )
  })
})

describe('requests for platform sites', () => {
  const invalid = [
    ['platform=tidewheel', 'missing_parameter', 'role'],
    ['role=operator', 'missing_parameter', 'platform'],
    ['role=affiliate_media&platform=tidewheel', 'invalid_parameter', 'role'],
    ['role=operator&platform=t', 'invalid_parameter', 'platform'],
    ['role=operator&platform=atlantis', 'unknown_platform', 'platform'],
    ['role=operator&platform=tidewheel&page=2', 'invalid_parameter', 'page'],
    ['role=operator&platform=tidewheel&page_size=21', 'invalid_parameter', 'page_size'],
    ['role=operator&platform=tidewheel&after=ps1_x.y', 'invalid_cursor', 'after'],
    ['role=operator&platform=tidewheel&market=ukgc', 'unknown_parameter', 'market'],
  ] as const

  test('an invalid parameter of platform sites is a 400 that names it', async () => {
    const results = await Promise.all(
      invalid.map(async ([query]) => {
        const { status, body } = await customer.ask(`${path}?${query}`)
        return [query, status, body.errors.code, body.errors.details.parameter]
      }),
    )
    expect(results).toEqual(invalid.map(([query, code, parameter]) => [query, 400, code, parameter]))
  })

  test('platform sites refuse a foreign cursor, a low max_credits, no balance and a bad key', async () => {
    const url = `${path}?role=operator&platform=tidewheel`
    const codeOf = async (url: string, by = customer) => {
      const { status, body } = await by.ask(url)
      return [status, body.errors?.code]
    }
    const { next_cursor: cursor } = await page('platform=tidewheel')
    expect(await codeOf(`${path}?role=operator&platform=sandbag&after=${cursor}`)).toEqual([
      400,
      'cursor_filter_mismatch',
    ])
    expect(await codeOf(`${url}&max_credits=0`)).toEqual([402, 'max_credits_exceeded'])
    expect(await codeOf(url, await service.customer({ credits: 0 }))).toEqual([429, 'quota_exceeded'])
    expect((await service.ask(url)).status).toBe(401)
    expect((await service.ask(url, { key: demoKey })).body.errors.code).toBe('demo_key_restricted')
    const headers = { 'idempotency-key': 'sites' }
    const first = await customer.ask(url, { headers })
    expect((await customer.ask(url, { headers })).text).toBe(first.text)
    expect((await customer.ask(`${url}&page_size=1`, { headers })).body.errors.code).toBe(
      'idempotency_key_reused',
    )
  })
})
