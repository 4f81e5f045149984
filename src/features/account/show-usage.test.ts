import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { UsageWriter } from '../../metering/usage-writer.ts'
import { recentUsage, requireAccount, type UsageRecord, usageOverview } from './index.ts'

const now = new Date('2026-05-05T12:00:00.000Z')

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const world = () => service.service.live

/**
 * Writes `count` usage records, one second apart; the last is of now. The durations 1, 2, 3… identify them.
 */
async function write(customer: Customer, count: number, params: (number: number) => object = () => ({})) {
  const { id: accountId } = await requireAccount(world(), customer.accountRef)
  const writer = new UsageWriter(world().database, error => {
    throw error
  })
  for (let number = 1; number <= count; number++) {
    writer.record({
      accountId,
      requestedAt: new Date(now.getTime() - (count - number) * 1_000),
      endpoint: 'resolve_domain',
      status: 200,
      durationMs: number,
      requestId: `request-${number}`,
      requestParams: JSON.stringify(params(number)),
      settlementStatus: 'none',
      source: 'api',
      client: null,
      keyId: null,
    })
  }
  await writer.flush()
}

const durations = (records: readonly UsageRecord[]) => records.map(record => record.duration_ms)
const countdown = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index)

test('a usage record has the fields of §2.15, and nothing else', async () => {
  const customer = await service.customer()
  const headers = { 'x-client-version': '1.4.0', 'x-mcp-client-name': 'desk' }
  await customer.ask('/v1/domains/resolve?domain=casino.example&include[]=geo', { headers })
  const { records } = await usageOverview(world(), customer.accountRef, { now: new Date() })
  expect(records).toEqual([
    {
      requested_at: expect.any(Date),
      endpoint: 'resolve_domain',
      status: 200,
      credits: 1,
      duration_ms: expect.any(Number),
      request_params: { 'include[]': ['geo'] },
      settlement_status: 'settled',
      source: 'mcp',
      client_version: '1.4.0',
      mcp_tool_name: null,
      connector_session_id: null,
      mcp_client_name: 'desk',
      mcp_client_version: null,
    },
  ])
  expect(await recentUsage(world(), customer.accountRef, new Date())).toEqual(records)
})

test('a usage record shows no domain and host at any depth, and keeps everything else', async () => {
  const customer = await service.customer()
  await write(customer, 1, () => ({
    domain: 'casino.example',
    'domains[]': ['a.example'],
    host: 'b.example',
    q: 'otter',
    filters: {
      domain: 'c.example',
      domain_after: 'e.example',
      geo_hint: 'DK',
      list: [{ host: 'd.example', kept: 1 }],
    },
  }))
  const kept = { q: 'otter', filters: { geo_hint: 'DK', list: [{ kept: 1 }] } }
  const { records } = await usageOverview(world(), customer.accountRef, { now })
  expect(records[0]?.request_params).toEqual(kept)
  expect((await recentUsage(world(), customer.accountRef, now))[0]?.request_params).toEqual(kept)
})

test('a usage record shows no site, whichever parameter contained it, as text or as a URL', async () => {
  const customer = await service.customer()
  await write(customer, 1, () => ({
    q: 'https://Secret-Site.example/lobby?x=1',
    url: 'secret-site.example',
    'urls[]': ['secret-site.example', 'not a site'],
    name: 'Otter & Sons Ltd.',
    license_number: 'MGA/B2C/9901/2019',
    since: '2026-01-01T00:00:00.000Z',
  }))
  const { records } = await usageOverview(world(), customer.accountRef, { now })
  expect(records[0]?.request_params).toEqual({
    'urls[]': ['not a site'],
    name: 'Otter & Sons Ltd.',
    license_number: 'MGA/B2C/9901/2019',
    since: '2026-01-01T00:00:00.000Z',
  })
})

describe('the usage overview', () => {
  test('the usage overview has ten records a page, the latest first', async () => {
    const customer = await service.customer()
    await write(customer, 23)
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => usageOverview(world(), customer.accountRef, { page, now })),
    )
    expect(pages.map(({ records }) => durations(records))).toEqual([
      countdown(23, 10),
      countdown(13, 10),
      countdown(3, 3),
      [],
    ])
    expect(pages.map(({ page, per_page, has_more }) => ({ page, per_page, has_more }))).toEqual([
      { page: 1, per_page: 10, has_more: true },
      { page: 2, per_page: 10, has_more: true },
      { page: 3, per_page: 10, has_more: false },
      { page: 4, per_page: 10, has_more: false },
    ])
  })

  test('the usage overview has at most fifty records per page', async () => {
    const customer = await service.customer()
    await write(customer, 51)
    const overview = await usageOverview(world(), customer.accountRef, { perPage: 1_000, now })
    expect([overview.per_page, overview.has_more]).toEqual([50, true])
    expect(durations(overview.records)).toEqual(countdown(51, 50))
  })

  test('has_more is false on a last usage page with the full number of records', async () => {
    const customer = await service.customer()
    await write(customer, 20)
    const overview = await usageOverview(world(), customer.accountRef, { page: 2, now })
    expect([overview.records.length, overview.has_more]).toEqual([10, false])
  })

  test('the usage overview with as_of does not shift while new requests arrive', async () => {
    const customer = await service.customer()
    await write(customer, 15)
    const { as_of: asOf } = await usageOverview(world(), customer.accountRef, { now })
    await service.service.usage.flush()
    await customer.ask('/v1/account')
    await service.service.usage.flush()
    const later = new Date(Date.now() + 1_000)
    const second = await usageOverview(world(), customer.accountRef, { page: 2, asOf, now: later })
    expect(durations(second.records)).toEqual(countdown(5, 5))
    const { records } = await usageOverview(world(), customer.accountRef, { now: later })
    expect(records[0]?.endpoint).toBe('show_account')
  })

  test('the usage overview has only records of its account', async () => {
    const [customer, other] = [await service.customer(), await service.customer()]
    await write(other, 3)
    expect((await usageOverview(world(), customer.accountRef, { now })).records).toEqual([])
  })

  test.each([
    [{ page: 0 }, 'The page must be a whole number, 1 or more.'],
    [{ page: 1.5 }, 'The page must be a whole number, 1 or more.'],
    [{ perPage: 0 }, 'A page must have 1 to 50 records.'],
    [{ page: 201, perPage: 50 }, 'Page 201 of 50 records is beyond the first 10000 records.'],
  ])('the usage overview refuses %j', async (asked, message) => {
    const { accountRef } = await service.customer()
    await expect(usageOverview(world(), accountRef, { ...asked, now })).rejects.toThrow(message)
  })

  test('the usage overview of an unknown account is refused', async () => {
    await expect(usageOverview(world(), 'acc_nobody', { now })).rejects.toThrow(
      'There is no account acc_nobody.',
    )
  })
})

test('the compact usage overview has the latest fifty records', async () => {
  const customer = await service.customer()
  await write(customer, 60)
  expect(durations(await recentUsage(world(), customer.accountRef, now))).toEqual(countdown(60, 50))
})
