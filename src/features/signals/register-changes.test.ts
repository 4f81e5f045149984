import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { sealCursor } from '../../core/cursor.ts'
import type { RegisterChangeDraft } from './draft.ts'
import {
  addLicense,
  addSignals,
  addStream,
  blocklistChange,
  quarantineStream,
  registerChange,
} from './fixture.ts'

const path = '/v1/signals/register-changes'
const now = new Date('2026-11-01T12:00:00Z')
const misfits = declaredData('list_register_changes')

let service: TestService
let customer: Customer
let drafts: RegisterChangeDraft[]
let revoked: RegisterChangeDraft
let licensed: Awaited<ReturnType<typeof addLicense>>
beforeAll(async () => {
  service = await startService({ now: () => now })
  const { live } = service.service
  await addStream(live, 'ukgc.licences', { market: 'ukgc', confirmedAt: new Date('2026-10-31T12:00:00Z') })
  await addStream(live, 'ukgc.sites', {
    market: 'ukgc',
    sourceClaim: 'license_and_blocklist',
    confirmedAt: null,
  })
  await addStream(live, 'poland.blocklist', {
    market: 'poland',
    covers: ['blocklist'],
    sourceClaim: 'license_and_blocklist',
    confirmedAt: new Date('2026-10-01T12:00:00Z'),
  })
  await addStream(live, 'denmark.operators', { market: 'denmark' })
  await quarantineStream(live, 'denmark.operators', ['half of its rows are missing'])
  licensed = await addLicense(live, 'ukgc.licences', 'one')
  revoked = registerChange({
    ...licensed,
    recordKey: 'one',
    eventType: 'revoked',
    publishedLegalName: 'Badger & Sons Limited',
    occurredAt: new Date('2026-05-05T23:59:59Z'),
    content: {
      license: {
        license_number: '4711',
        license_type: null,
        status: 'revoked',
        issued_at: null,
        expires_at: null,
        source_url: null,
      },
      authorized_domains: ['badger.example'],
      change_set: { status: { before: 'active', after: 'revoked' } },
    },
  })
  drafts = [
    ...Array.from({ length: 30 }, (_, index) =>
      registerChange({ occurredAt: new Date(Date.UTC(2026, 2, 1 + index, 12)) }),
    ),
    revoked,
    registerChange({ eventType: 'removed_from_register', publishedLegalName: 'Badger & Sons Limited' }),
    registerChange({ stream: 'ukgc.sites', recordKind: 'authorisation', content: { license: null } }),
    blocklistChange('redkite.example'),
  ]
  for (let start = 0; start < drafts.length; start += 7)
    await addSignals(live, ...drafts.slice(start, start + 7))
  customer = await service.customer({ credits: 10_000 })
})
afterAll(() => service.close())

const british = () => drafts.filter(draft => draft.market === 'ukgc')
const refs = (of: RegisterChangeDraft[]) => of.map(draft => draft.signalRef)

async function page(query: string, by: Customer = customer) {
  const { status, body, headers } = await by.ask(`${path}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return { ...body.data, headers }
}

const refsOf = (data: { signals: { signal_ref: string }[] }) => data.signals.map(signal => signal.signal_ref)

async function follow(query: string, size = 7): Promise<{ refs: string[]; cursor: string; charged: number }> {
  const followed: string[] = []
  let charged = 0
  let after: string | null = null
  for (;;) {
    const data = await page(`${query}&page_size=${size}${after === null ? '' : `&after=${after}`}`)
    followed.push(...refsOf(data))
    charged += data.billing.credits_charged
    after = data.next_cursor
    expect(data.has_more).toBe(data.total > followed.length)
    if (!data.has_more) return { refs: followed, cursor: data.next_cursor, charged }
  }
}

describe('the feed of register changes', () => {
  test('the feed delivers every change once, in order, for every page size', async () => {
    for (const size of [1, 7, 20]) {
      const { refs: followed, charged } = await follow('jurisdiction=ukgc', size)
      expect(followed).toEqual(refs(british()))
      expect(charged).toBe(british().length)
    }
  })

  test('polling at the end of a feed is a free empty page with the same cursor', async () => {
    const { cursor } = await follow('jurisdiction=ukgc')
    const polled = await page(`jurisdiction=ukgc&after=${cursor}`)
    expect(polled).toMatchObject({
      signals: [],
      has_more: false,
      next_cursor: cursor,
      total: british().length,
    })
    expect(polled.billing).toEqual({ credits_charged: 0, breakdown: [], max_credits: null })
    expect(polled.headers.get('x-credits-charged')).toBe('0')
    const late = registerChange({ occurredAt: new Date('2020-01-01T00:00:00Z') })
    await addSignals(service.service.live, late)
    drafts.push(late)
    const next = await page(`jurisdiction=ukgc&after=${cursor}`)
    expect(refsOf(next)).toEqual([late.signalRef])
    expect(next.next_cursor).not.toBe(cursor)
  })

  test('a feed without a match has no cursor, and still reports its sources', async () => {
    expect(await page('jurisdiction=peru')).toMatchObject({
      total: 0,
      signals: [],
      next_cursor: null,
      has_more: false,
      sources: [
        { source_stream_key: null, truth_state: 'not_covered', hold_reasons: [], last_confirmed_at: null },
      ],
    })
  })
})

describe('filters of register changes', () => {
  test('register changes have every event type by default, or the event types of the filter', async () => {
    expect((await page('jurisdiction=ukgc')).query.event_type).toBeNull()
    const one = await page('jurisdiction=ukgc&event_type=revoked')
    expect([one.query.event_type, refsOf(one), one.total]).toEqual([['revoked'], [revoked.signalRef], 1])
    const several = await page(
      'jurisdiction=ukgc&event_type=revoked&event_type[]=removed_from_register&event_type[]=revoked',
    )
    expect(several.query.event_type.toSorted()).toEqual(['removed_from_register', 'revoked'])
    const expected = british().filter(draft => /revoked|removed/.test(draft.eventType))
    expect([refsOf(several), several.total]).toEqual([refs(expected), 2])
  })

  test('source_stream_key limits register changes; a source of another market matches nothing', async () => {
    const sites = british().filter(draft => draft.stream === 'ukgc.sites')
    const of = await page('jurisdiction=ukgc&source_stream_key=ukgc.sites')
    expect([refsOf(of), of.total, of.query.source_stream_key]).toEqual([refs(sites), 1, 'ukgc.sites'])
    expect(of.sources).toMatchObject([{ source_stream_key: 'ukgc.sites', truth_state: 'not_covered' }])
    const foreign = await page('jurisdiction=ukgc&source_stream_key=poland.blocklist')
    expect(foreign).toMatchObject({
      signals: [],
      total: 0,
      sources: [{ source_stream_key: 'poland.blocklist', truth_state: 'not_covered' }],
    })
  })

  test('a published name matches register changes exactly, and combines with other filters', async () => {
    const name = encodeURIComponent('Badger & Sons Limited')
    const badger = british().filter(draft => draft.publishedLegalName === 'Badger & Sons Limited')
    const of = await page(`jurisdiction=ukgc&published_legal_name=${name}`)
    expect([refsOf(of), of.total, of.query.published_legal_name]).toEqual([
      refs(badger),
      2,
      'Badger & Sons Limited',
    ])
    const narrow = await page(
      `jurisdiction=ukgc&published_legal_name=${name}&event_type=revoked` +
        '&occurred_from=2026-05-05&occurred_to=2026-05-05',
    )
    expect(refsOf(narrow)).toEqual([revoked.signalRef])
    const first = await page(`jurisdiction=ukgc&published_legal_name=${name}&page_size=1`)
    expect([refsOf(first), first.total, first.has_more]).toEqual([[refs(badger)[0]], 2, true])
    expect(refsOf(await page(`jurisdiction=ukgc&published_legal_name=badger`))).toEqual([])
    expect(refsOf(await page(`jurisdiction=poland&published_legal_name=${name}`))).toEqual([])
  })

  test.each([
    ['occurred_from=2026-03-28', (day: string) => day >= '2026-03-28'],
    ['occurred_to=2026-03-03', (day: string) => day <= '2026-03-03'],
    ['occurred_from=2026-03-10&occurred_to=2026-03-10', (day: string) => day === '2026-03-10'],
    ['occurred_from=2026-05-05&occurred_to=2026-05-05', (day: string) => day === '2026-05-05'],
    ['occurred_from=2027-01-01', () => false],
  ])('register changes %s include both days, and the total counts only these days', async (days, isIn) => {
    const expected = british().filter(draft => isIn(draft.occurredAt.toISOString().slice(0, 10)))
    const first = await page(`jurisdiction=ukgc&${days}`)
    expect(first.total).toBe(expected.length)
    expect((await follow(`jurisdiction=ukgc&${days}`, 2)).refs).toEqual(refs(expected))
  })
})

describe('a Signal of a register', () => {
  test('a Signal of a register has every field as published', async () => {
    const { signals } = await page('jurisdiction=ukgc&event_type=revoked')
    expect(signals[0]).toEqual({
      correction_of: null,
      backfilled: false,
      signal_ref: revoked.signalRef,
      type: 'register_change',
      headline: revoked.headline,
      source: {
        source_stream_key: 'ukgc.licences',
        jurisdiction: 'ukgc',
        source_claim: 'license',
        qualification: 'Published by the regulator.',
        source_identity: 'Register ukgc.licences',
      },
      subject: {
        company_ref: licensed.companyRef,
        role: 'unknown',
        published_legal_name: 'Badger & Sons Limited',
      },
      license: {
        license_number: '4711',
        license_type: null,
        reviewed_status_claim: 'revoked',
        authorized_domains: ['badger.example'],
      },
      change: {
        event_type: 'revoked',
        change_set: { status: { before: 'active', after: 'revoked' } },
        occurred_at: '2026-05-05T23:59:59.000Z',
        detected_at: '2026-03-02T12:30:00.000Z',
        last_corrected_at: null,
      },
      evidence: [
        {
          source_type: 'register',
          source_url: 'https://regulator.example/register',
          observed_at: '2026-03-02T12:00:00.000Z',
        },
      ],
    })
  })

  test('a Signal of a blocklist states a block and no license, and names the listed host', async () => {
    const { signals } = await page('jurisdiction=poland')
    expect(signals).toMatchObject([
      {
        source: { source_claim: 'blocklist' },
        subject: { company_ref: null, published_legal_name: null },
        license: {
          license_number: null,
          license_type: null,
          reviewed_status_claim: null,
          authorized_domains: [],
        },
        change: { change_set: { domain: 'redkite.example' } },
      },
    ])
  })

  test('a Signal of a list of sites names the authorised domain', async () => {
    const { signals } = await page('jurisdiction=ukgc&source_stream_key=ukgc.sites')
    expect(signals).toMatchObject([{ source: { source_claim: 'authorised_domain' } }])
  })
})

test('sources of Signals report their state: confirmed, stale, quarantined or never read', async () => {
  expect((await page('jurisdiction=ukgc')).sources).toEqual([
    {
      source_stream_key: 'ukgc.licences',
      truth_state: 'confirmed',
      hold_reasons: [],
      last_confirmed_at: '2026-10-31T12:00:00.000Z',
    },
    {
      source_stream_key: 'ukgc.sites',
      truth_state: 'not_covered',
      hold_reasons: [],
      last_confirmed_at: null,
    },
  ])
  expect((await page('jurisdiction=poland')).sources).toMatchObject([{ truth_state: 'stale' }])
  expect((await page('jurisdiction=denmark')).sources).toMatchObject([
    { truth_state: 'held', hold_reasons: ['half of its rows are missing'] },
  ])
})

describe('requests for register changes', () => {
  const ask = (query: string) => customer.ask(`${path}?${query}`)

  const invalid = [
    ['', 'missing_parameter', 'jurisdiction'],
    ['jurisdiction=atlantis', 'invalid_parameter', 'jurisdiction'],
    ['jurisdiction=ukgc&page=2', 'invalid_parameter', 'page'],
    ['jurisdiction=ukgc&page_size=21', 'invalid_parameter', 'page_size'],
    ['jurisdiction=ukgc&page_size=0', 'invalid_parameter', 'page_size'],
    ['jurisdiction=ukgc&event_type=struck_by_lightning', 'invalid_parameter', 'event_type'],
    ['jurisdiction=ukgc&event_type[]=revoked&event_type[]=lost', 'invalid_parameter', 'event_type[]'],
    ['jurisdiction=ukgc&event_type=expiry_date_passed', 'event_type_not_available', 'event_type'],
    ['jurisdiction=ukgc&event_type[]=expiry_date_passed', 'event_type_not_available', 'event_type[]'],
    ['jurisdiction=ukgc&occurred_from=2026-02-30', 'invalid_parameter', 'occurred_from'],
    ['jurisdiction=ukgc&occurred_to=0000-01-01', 'invalid_parameter', 'occurred_to'],
    ['jurisdiction=ukgc&occurred_from=2026-03-02&occurred_to=2026-03-01', 'invalid_parameter', 'occurred_to'],
    ['jurisdiction=ukgc&source_stream_key=UKGC', 'invalid_parameter', 'source_stream_key'],
    ['jurisdiction=ukgc&published_legal_name=', 'invalid_parameter', 'published_legal_name'],
    ['jurisdiction=ukgc&max_credits=-1', 'invalid_parameter', 'max_credits'],
    ['jurisdiction=ukgc&after=rc1_bm90aGluZw.signature', 'invalid_cursor', 'after'],
    ['jurisdiction=ukgc&evnt_type=revoked', 'unknown_parameter', 'evnt_type'],
  ] as const

  test('an invalid parameter of register changes is a free 400 that names it', async () => {
    const results = await Promise.all(
      invalid.map(async ([query]) => {
        const { status, body, headers } = await ask(query)
        const charged = headers.get('x-credits-charged')
        return [query, status, body.errors.code, body.errors.details.parameter, charged]
      }),
    )
    expect(results).toEqual(invalid.map(([query, code, parameter]) => [query, 400, code, parameter, '0']))
  })

  test('the message for an invalid day states which days are accepted', async () => {
    const messageOf = async (days: string) => (await ask(`jurisdiction=ukgc&${days}`)).body.message
    expect(await messageOf('occurred_to=0000-01-01')).toBe(
      '"occurred_to" must be a day from 1900-01-01 to 2199-12-31.',
    )
    expect(await messageOf('occurred_from=2026-03-02&occurred_to=2026-03-01')).toBe(
      '"occurred_to" must be a day that is not before "occurred_from".',
    )
  })

  test('the message for an unknown event type lists the available ones', async () => {
    for (const parameter of ['event_type', 'event_type[]']) {
      const { message } = (await ask(`jurisdiction=ukgc&${parameter}=struck_by_lightning`)).body
      expect(message).toContain('revoked')
      expect(message).not.toContain('expiry_date_passed')
    }
  })

  test('an altered cursor and a cursor of other filters or another installation are rejected', async () => {
    const { cursor } = await follow('jurisdiction=ukgc')
    const codeOf = async (query: string) => (await ask(query)).body.errors?.code
    for (const filters of ['poland', 'ukgc&event_type=revoked', 'ukgc&occurred_from=2026-01-01'])
      expect(await codeOf(`jurisdiction=${filters}&after=${cursor}`)).toBe('cursor_filter_mismatch')
    expect(await codeOf(`jurisdiction=ukgc&after=${cursor.replace('rc1_', 'ps1_')}`)).toBe('invalid_cursor')
    expect(await codeOf(`jurisdiction=ukgc&after=${cursor.slice(0, -1)}`)).toBe('invalid_cursor')
    const foreign = sealCursor({ feed: 'rc1', filters: { jurisdiction: 'ukgc' } }, ['1'], Buffer.alloc(32))
    expect(await codeOf(`jurisdiction=ukgc&after=${foreign}`)).toBe('invalid_cursor')
    expect((await ask(`jurisdiction=ukgc&page_size=3&max_credits=9&after=${cursor}`)).status).toBe(200)
  })

  test('register changes need a key, and the demo key only gets its templates', async () => {
    expect((await service.ask(`${path}?jurisdiction=ukgc`)).status).toBe(401)
    const { status, body } = await service.ask(`${path}?jurisdiction=mga`, { key: demoKey })
    expect([status, body.errors.code]).toEqual([403, 'demo_key_restricted'])
    expect(body.errors.details.templates.length).toBeGreaterThan(0)
  })

  test('register changes are a 402 if max_credits is below, not equal to, the price of a page', async () => {
    const { status, body } = await ask('jurisdiction=ukgc&page_size=5&max_credits=4')
    expect([status, body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 5, max_credits: 4 } },
    ])
    const within = await page('jurisdiction=ukgc&page_size=5&max_credits=5')
    expect(within.billing).toEqual({
      credits_charged: 5,
      breakdown: [{ key: 'signal.base', units: 5, credits_per_unit: 1, credits_charged: 5 }],
      max_credits: 5,
    })
    expect((await page('jurisdiction=peru&max_credits=0')).billing.credits_charged).toBe(0)
  })

  test('a page of Signals above the balance is a 429 quota_exceeded without data', async () => {
    const poor = await service.customer({ credits: 3 })
    const { status, body } = await poor.ask(`${path}?jurisdiction=ukgc&page_size=4`)
    expect([status, body.errors.code, body.data]).toEqual([429, 'quota_exceeded', undefined])
    expect((await page('jurisdiction=ukgc&page_size=3', poor)).signals).toHaveLength(3)
  })
})

test('a replay of register changes is free and equal, and its key with another page is a 409', async () => {
  const headers = { 'idempotency-key': 'page-one' }
  const query = `${path}?jurisdiction=ukgc&event_type[]=revoked`
  const first = await customer.ask(query, { headers })
  const also = registerChange({ eventType: 'revoked' })
  await addSignals(service.service.live, also)
  drafts.push(also)
  const again = await customer.ask(`${path}?event_type=revoked&jurisdiction=ukgc`, { headers })
  expect(again.text).toBe(first.text)
  const replayHeaders = ['idempotency-replayed', 'x-credits-charged'].map(name => again.headers.get(name))
  expect(replayHeaders).toEqual(['true', '0'])
  const other = await customer.ask(`${path}?jurisdiction=ukgc&event_type=revoked&page_size=1`, { headers })
  expect([other.status, other.body.errors.code]).toEqual([409, 'idempotency_key_reused'])
})
