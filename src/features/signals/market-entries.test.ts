import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { newRef } from '../../core/ref.ts'
import type { RegisterChangeDraft } from './draft.ts'
import {
  addLicense,
  addSignals,
  addStream,
  type Licensed,
  quarantineStream,
  registerChange,
} from './fixture.ts'

const path = '/v1/signals/market-entries'
const ukgc = 'role=operator&market=ukgc'
const now = new Date('2026-11-01T12:00:00Z')
const misfits = declaredData('list_market_entries')

let service: TestService
let customer: Customer
let licensed: Licensed
let entry: RegisterChangeDraft
let bare: RegisterChangeDraft
const domainRef = newRef('dom')
beforeAll(async () => {
  service = await startService({ now: () => now })
  const { live } = service.service
  await addStream(live, 'ukgc.licences', { market: 'ukgc', confirmedAt: new Date('2026-10-31T12:00:00Z') })
  await addStream(live, 'ukgc.blocklist', { market: 'ukgc', covers: ['blocklist'] })
  await addStream(live, 'italy.blocklist', { market: 'italy', covers: ['blocklist'] })
  licensed = await addLicense(live, 'ukgc.licences', '4711')
  const gone = await addLicense(live, 'ukgc.licences', '4712')
  await sql`
    insert into domains (domain_ref, domain, inferred_geo) values (${domainRef}, 'otter.example', 'GB')
  `.execute(live.database)
  await sql`
    update license_states set known_to = now() where license_id = ${gone.licenseId}`.execute(live.database)
  entry = registerChange({
    ...licensed,
    recordKey: '4711',
    isMarketEntry: true,
    publishedLegalName: 'Otter Limited',
    content: {
      brand: 'Lucky Otter',
      authorized_domains: ['otter.example', 'unheard.example'],
      license: {
        license_number: '4711-R-1',
        license_type: 'Remote Casino',
        status: 'lapsed',
        issued_at: '2026-02-27',
        expires_at: '2031-02-26',
        source_url: null,
      },
    },
  })
  bare = registerChange({
    ...gone,
    recordKey: '4712',
    isMarketEntry: true,
    eventType: 'returned_to_register',
    occurredAt: new Date('2026-04-04T04:00:00Z'),
    content: {
      source_url: null,
      license: {
        license_number: '4712',
        license_type: null,
        status: null,
        issued_at: null,
        expires_at: null,
        source_url: null,
      },
    },
  })
  await addSignals(
    live,
    registerChange({ ...licensed, content: { role: 'supplier' } }),
    entry,
    // Without a name and a holder the change is in the feed of register changes only.
    registerChange({ isMarketEntry: true, publishedLegalName: null }),
    registerChange({ ...licensed, eventType: 'revoked' }),
    bare,
  )
  customer = await service.customer({ credits: 10_000 })
})
afterAll(() => service.close())

async function page(query: string) {
  const { status, body } = await customer.ask(`${path}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return body.data
}

const domains = [
  { domain_ref: domainRef, domain: 'otter.example', inferred_geo: 'GB' },
  { domain_ref: null, domain: 'unheard.example', inferred_geo: null },
]

describe('a market entry', () => {
  test('a market entry is an operator license that was added to a register, with every field', async () => {
    const { signals, total } = await page(ukgc)
    expect(total).toBe(2)
    expect(signals[0]).toEqual({
      backfilled: false,
      signal_ref: entry.signalRef,
      type: 'market_entry',
      correction_of: null,
      headline: entry.headline,
      market: {
        scope: 'license_regime',
        key: 'ukgc',
        regulator: 'Regulator of Tests',
        regulator_country_code: 'XX',
        label: expect.any(String),
        truth_state: 'confirmed',
        hold_reasons: [],
        last_confirmed_at: '2026-10-31T12:00:00.000Z',
        last_seen_at: '2026-10-31T12:00:00.000Z',
        last_run_at: '2026-10-31T12:00:00.000Z',
      },
      subject: {
        company_ref: licensed.companyRef,
        role: 'operator',
        role_derived_at: '2026-03-02T12:30:00.000Z',
        brand: 'Lucky Otter',
        domains,
      },
      change: {
        type: 'license_issued',
        occurred_at: '2026-03-02T12:00:00.000Z',
        detected_at: '2026-03-02T12:30:00.000Z',
        last_corrected_at: null,
      },
      regulatory: {
        license_ref: licensed.licenseRef,
        licensee_legal_name: 'Otter Limited',
        license_number: '4711-R-1',
        license_type: 'Remote Casino',
        status: 'expired',
        issued_at: '2026-02-27',
        expires_at: '2031-02-26',
        last_confirmed_at: '2026-10-31T12:00:00.000Z',
        authorized_domains: domains,
      },
      quality: {
        confidence: 'high',
        materiality: 'unscored',
        materiality_reasons: [],
        coverage: {
          licenses: { status: 'included', reason: null },
          authorized_domains: { status: 'included', reason: null },
          firmographics: { status: 'not_requested', reason: null },
          contacts: { status: 'not_requested', reason: null },
        },
      },
      evidence: [
        {
          source_type: 'license_registry',
          source_name: 'Register ukgc.licences',
          source_url: 'https://regulator.example/register',
          observed_at: '2026-03-02T12:00:00.000Z',
        },
      ],
    })
  })

  test('a market entry without an issue date has the day of its Signal, and other fields null', async () => {
    const { signals } = await page(`${ukgc}&occurred_from=2026-04-01`)
    expect(signals).toMatchObject([
      {
        signal_ref: bare.signalRef,
        subject: { brand: null, domains: [] },
        regulatory: {
          status: 'unknown',
          issued_at: '2026-04-04',
          expires_at: null,
          license_type: null,
          // The license is no longer in the register.
          last_confirmed_at: null,
        },
        quality: { coverage: { authorized_domains: { status: 'not_available', reason: 'none_published' } } },
        evidence: [{ source_url: 'https://regulator.example/' }],
      },
    ])
  })

  test('a market entry has the same ref, headline, dates, license and domains in both feeds', async () => {
    const { signals } = await page(ukgc)
    const { body } = await customer.ask('/v1/signals/register-changes?jurisdiction=ukgc')
    for (const entry of signals) {
      const change = body.data.signals.find(
        (each: { signal_ref: string }) => each.signal_ref === entry.signal_ref,
      )
      const { occurred_at, detected_at, last_corrected_at } = entry.change
      expect(change).toMatchObject({
        headline: entry.headline,
        subject: {
          company_ref: entry.subject.company_ref,
          published_legal_name: entry.regulatory.licensee_legal_name,
        },
        license: {
          license_number: entry.regulatory.license_number,
          license_type: entry.regulatory.license_type,
          authorized_domains: entry.regulatory.authorized_domains.map(
            (each: { domain: string }) => each.domain,
          ),
        },
        change: { occurred_at, detected_at, last_corrected_at },
      })
    }
    expect(body.data.total).toBe(5)
  })

  test('a market entry keeps the ref of its Company after a merge', async () => {
    const other = await addLicense(service.service.live, 'ukgc.licences', '4713')
    const into = (id: number | null) =>
      sql`update companies set merged_into = ${id} where id = ${licensed.companyId}`.execute(
        service.service.live.database,
      )
    await into(other.companyId)
    expect((await page(ukgc)).signals[0].subject.company_ref).toBe(licensed.companyRef)
    await into(null)
  })
})

describe('the query for market entries', () => {
  test('an answer of market entries repeats its query with the default values', async () => {
    expect((await page(ukgc)).query).toEqual({
      role: 'operator',
      market: 'ukgc',
      include: [],
      domains: [],
      contacts_limit: 3,
      max_age_days: 365,
      occurred_from: null,
      occurred_to: null,
    })
  })

  test('an answer of market entries repeats its query in canonical form', async () => {
    const data = await page(
      `${ukgc}&include[]=contacts&domains[]=www.Otter.example&domains[]=${domainRef}&contacts_limit=1` +
        '&max_age_days=0&page_size=1',
    )
    expect(data.query).toMatchObject({
      include: ['contacts'],
      domains: [domainRef, 'otter.example'].toSorted(),
      contacts_limit: 1,
      max_age_days: 0,
    })
    expect(data.signals[0].quality.coverage).toMatchObject({
      firmographics: { status: 'not_requested', reason: null },
      contacts: { status: 'not_available', reason: 'none_held' },
    })
    expect([data.billing.credits_charged, data.has_more]).toEqual([1, true])
  })

  test('market entries of a market with a blocklist alone are reported as not covered', async () => {
    expect(await page('role=operator&market=italy')).toMatchObject({
      total: 0,
      next_cursor: null,
      sources: [{ source_stream_key: null, truth_state: 'not_covered' }],
    })
    expect((await page(ukgc)).sources).toMatchObject([{ source_stream_key: 'ukgc.licences' }])
  })
})

test('market and sources report a quarantined snapshot with the reasons', async () => {
  const { live } = service.service
  await quarantineStream(live, 'ukgc.licences', ['40 % of its licenses are gone'])
  const { signals, sources } = await page(ukgc)
  const quarantined = { truth_state: 'held', hold_reasons: ['40 % of its licenses are gone'] }
  expect([signals[0].market, sources[0]]).toMatchObject([quarantined, quarantined])
  await sql`update register_streams set quarantined_snapshot_id = null`.execute(live.database)
})

describe('requests for market entries', () => {
  const invalid = [
    ['market=ukgc', 'missing_parameter', 'role'],
    ['role=operator', 'missing_parameter', 'market'],
    ['role=supplier&market=ukgc', 'invalid_parameter', 'role'],
    ['role=operator&market=import', 'invalid_parameter', 'market'],
    [`${ukgc}&include[]=logos`, 'unknown_include', 'include[]'],
    [`${ukgc}&domains[]=127.0.0.1`, 'invalid_domain', 'domains[]'],
    [`${ukgc}&domains[]=ftp://otter.example`, 'invalid_domain', 'domains[]'],
    [
      `${ukgc}&domains[]=a.com&domains[]=b.com&domains[]=c.com&domains[]=d.com`,
      'invalid_parameter',
      'domains[]',
    ],
    [`${ukgc}&contacts_limit=4`, 'invalid_parameter', 'contacts_limit'],
    [`${ukgc}&contacts_limit=0`, 'invalid_parameter', 'contacts_limit'],
    [`${ukgc}&max_age_days=366`, 'invalid_parameter', 'max_age_days'],
    [`${ukgc}&page=2`, 'invalid_parameter', 'page'],
    [`${ukgc}&page_size=21`, 'invalid_parameter', 'page_size'],
    [`${ukgc}&after=me1_abc.def`, 'legacy_cursor_not_supported', 'after'],
    [`${ukgc}&after=me2_abc.def`, 'invalid_cursor', 'after'],
    [`${ukgc}&event_type=revoked`, 'unknown_parameter', 'event_type'],
  ] as const

  test('an invalid parameter of market entries is a 400 that names it', async () => {
    const results = await Promise.all(
      invalid.map(async ([query]) => {
        const { status, body } = await customer.ask(`${path}?${query}`)
        return [query, status, body.errors.code, body.errors.details.parameter]
      }),
    )
    expect(results).toEqual(invalid.map(([query, code, parameter]) => [query, 400, code, parameter]))
  })

  test('a cursor of market entries works with its own filters and feed only', async () => {
    const { next_cursor: cursor } = await page(`${ukgc}&page_size=1`)
    expect(cursor).toMatch(/^me2_/)
    expect((await page(`${ukgc}&page_size=20&after=${cursor}`)).signals).toHaveLength(1)
    const codeOf = async (where: string) => (await customer.ask(where)).body.errors?.code
    expect(await codeOf(`${path}?role=operator&market=mga&after=${cursor}`)).toBe('cursor_filter_mismatch')
    expect(await codeOf(`/v1/signals/register-changes?jurisdiction=ukgc&after=${cursor}`)).toBe(
      'invalid_cursor',
    )
  })

  test('market entries are refused without a key, outside the demo, and above the balance', async () => {
    const url = `${path}?${ukgc}`
    expect((await service.ask(url)).status).toBe(401)
    const demo = await service.ask(`${path}?role=operator&market=mga`, { key: demoKey })
    expect([demo.status, demo.body.errors.code]).toEqual([403, 'demo_key_restricted'])
    const expensive = await customer.ask(`${url}&max_credits=1`)
    expect([expensive.status, expensive.body.errors.details]).toEqual([
      402,
      { quoted_credits: 2, max_credits: 1 },
    ])
    const poor = await service.customer({ credits: 1 })
    const { status, body } = await poor.ask(url)
    expect([status, body.errors.code]).toEqual([429, 'quota_exceeded'])
  })

  test('a replay of market entries is free and equal, and its key with another page is a 409', async () => {
    const headers = { 'idempotency-key': 'entries' }
    const [first, again] = [
      await customer.ask(`${path}?${ukgc}`, { headers }),
      await customer.ask(`${path}?market=ukgc&role=operator&page_size=20&contacts_limit=3`, { headers }),
    ]
    expect([again.text, again.headers.get('x-credits-charged')]).toEqual([first.text, '0'])
    const other = await customer.ask(`${path}?${ukgc}&page_size=1`, { headers })
    expect([other.status, other.body.errors.code]).toEqual([409, 'idempotency_key_reused'])
  })
})
