import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateUsage } from '../../../bench/data/generate-usage-store.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { revokeKey } from './index.ts'

let service: TestService
let customer: Customer
let billing: Person

beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer()
  billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  for (let count = 0; count < 23; count += 1) await customer.ask('/v1/account')
  await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
  await customer.ask('/v1/domains/resolve?domain=secret-site.example&max_credits=0')
  await customer.ask('/v1/companies/search?q=%3DHYPERLINK(1)%3Cb%3E', {
    headers: { 'x-mcp-client-name': '=cmd<script>', 'x-mcp-tool-name': 'find' },
  })
  await service.service.usage.flush()
})
afterAll(() => service.close())

const path = '/dashboard/usage'
const read = async (query = '', person = billing) => (await person.read(`${path}${query}`)).body.data
type Shown = { id: string; endpoint: string; status: number; credits: number }

describe('the usage records', () => {
  test('usage records are listed ten a page by default, fifty at most, the latest first', async () => {
    expect((await read()).records).toHaveLength(10)
    expect((await read('?per_page=500')).records).toHaveLength(26)
    const times = (await read('?per_page=50')).records.map(
      (each: { requested_at: string }) => each.requested_at,
    )
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('pages of usage records have no gap and no repeat while new requests arrive', async () => {
    const all: Shown[] = (await read('?per_page=50')).records
    const seen: Shown[] = []
    let query = '?per_page=10'
    for (;;) {
      const { records, next_cursor: cursor } = await read(query)
      seen.push(...records)
      if (cursor === null) break
      await customer.ask('/v1/account')
      await service.service.usage.flush()
      query = `?per_page=10&after=${encodeURIComponent(cursor)}`
    }
    expect(seen.map(each => each.id)).toEqual(all.map(each => each.id))
  })

  test('the usage records are filtered by endpoint, status, key, MCP client and day', async () => {
    const endpoints = async (query: string) =>
      new Set((await read(query)).records.map((each: Shown) => `${each.endpoint} ${each.status}`))
    expect(await endpoints('?endpoint=resolve_domain')).toEqual(
      new Set(['resolve_domain 200', 'resolve_domain 402']),
    )
    expect(await endpoints('?status=4xx')).toEqual(new Set(['resolve_domain 402']))
    expect(await endpoints('?status=402')).toEqual(new Set(['resolve_domain 402']))
    expect(await endpoints(`?mcp_client=${encodeURIComponent('=cmd<script>')}`)).toEqual(
      new Set(['search_companies 200']),
    )
    const { keys } = await read()
    expect((await read(`?key_ref=${keys[0].key_ref}`)).records).toHaveLength(10)
    expect((await read('?key_ref=key_none')).records).toEqual([])
    expect((await read('?endpoint=nothing')).records).toEqual([])
    expect((await read('?to=2020-01-01')).records).toEqual([])
  })

  test('the compact list of usage records has the latest fifty, without further pages', async () => {
    const { records, next_cursor: cursor } = await read('?view=compact')
    expect(records.map((each: Shown) => each.id)).toEqual(
      (await read('?per_page=50')).records.map((each: Shown) => each.id),
    )
    expect(cursor).toBeNull()
    const page = (await billing.get(`${path}?view=compact`)).text
    expect(page).not.toContain('<svg viewBox="0 0 900')
    expect(page).toContain('<span title="resolve_domain">Verdict of a site</span>')
  })

  test('usage records can be filtered by a deleted key, but not by a key of another account', async () => {
    const own = await service.customer()
    await own.ask('/v1/account')
    await service.service.usage.flush()
    const owner = await signIn(service, { accountRef: own.accountRef })
    const [{ key_ref: keyRef }] = (await read('', owner)).keys
    await revokeKey(service.service.live, keyRef)
    const found = await read(`?key_ref=${keyRef}`, owner)
    expect(found.records).toMatchObject([{ endpoint: 'show_account' }])
    expect(found.keys).toMatchObject([{ key_ref: keyRef }])
    expect((await read(`?key_ref=${keyRef}`)).records).toEqual([])
  })

  test('the usage records show no requested site', async () => {
    const page = await billing.get(`${path}?per_page=50`)
    expect(page.text).not.toContain('secret-site')
    const [{ id }] = (await read('?status=402')).records
    expect((await billing.get(`${path}/${id}`)).text).not.toContain('secret-site')
    expect((await billing.get(`${path}.csv`)).text).not.toContain('secret-site')
  })

  test('the error of a wrong usage filter or cursor names the accepted values', async () => {
    expect((await billing.read(`${path}?status=9`)).body.errors.details.takes).toBe(
      'a status such as 429, or 4xx',
    )
    expect((await billing.read(`${path}?after=nonsense`)).status).toBe(400)
    const { next_cursor: cursor } = await read()
    const other = await billing.read(`${path}?status=2xx&after=${encodeURIComponent(cursor)}`)
    expect(other.body.errors.code).toBe('cursor_filter_mismatch')
    for (const days of [
      'from=0000-01-01',
      'to=9999-12-31',
      'from=2026-02-30',
      'from=2026-02-02&to=2026-02-01',
    ])
      for (const end of ['', '.csv'])
        expect((await billing.read(`${path}${end}?endpoint=x&${days}`)).status, days).toBe(400)
    const stranger = await signIn(service, { accountRef: (await service.customer()).accountRef })
    const theirs = await stranger.read(`${path}?after=${encodeURIComponent(cursor)}`)
    expect(theirs.body.errors.code).toBe('cursor_filter_mismatch')
  })

  test('a wrong usage filter shows its form again, with the typed text', async () => {
    const { status, text } = await billing.get(`${path}?from=2026-02-02&to=2026-02-01`)
    expect(status).toBe(400)
    expect(text).toContain('The first day must not be after the last day.')
    expect(text).toContain('value="2026-02-02"')
  })

  test('markup that clients send is shown as text in the usage records', async () => {
    const [{ id }] = (await read(`?mcp_client=${encodeURIComponent('=cmd<script>')}`)).records
    const { text } = await billing.get(`${path}/${id}`)
    expect(text).toContain('=cmd&lt;script&gt;')
    expect(text).not.toContain('=cmd<script>')
  })
})

test('a usage record shows its bill, the ref of its key, and the endpoint in words', async () => {
  const records: Shown[] = (await read('?per_page=50&endpoint=resolve_domain')).records
  const paid = records.find(each => each.credits > 0) as Shown
  const { bill } = (await billing.read(`${path}/${paid.id}`)).body.data
  expect(bill).toMatchObject([{ price_key: 'domain.verdict', units: 1, credits: 1 }])
  const page = (await billing.get(`${path}/${paid.id}`)).text
  expect(page).toMatch(/<code>key_\w{20}<\/code>/)
  expect(page).toContain('<span title="resolve_domain">Verdict of a site</span>')
  expect(page).not.toContain('<dt>Endpoint</dt>')
  const free = records.find(each => each.credits === 0) as Shown
  expect((await billing.get(`${path}/${free.id}`)).text).toContain('Nothing was charged for this request.')
})

test("usage records, chart, bills and statement add up to the account's figures", async () => {
  const { records, days } = await read('?per_page=50')
  const sum = (of: { credits: number }[]) => of.reduce((total, each) => total + each.credits, 0)
  const bills = await Promise.all(
    records.map(async (each: Shown) => (await billing.read(`${path}/${each.id}`)).body.data.bill),
  )
  const { credits_used: used } = (await customer.ask('/v1/account')).body.data
  expect(used).toBeGreaterThan(0)
  expect([sum(records), sum(days), sum(bills.flat())]).toEqual([used, used, used])
  expect((await billing.read('/dashboard/statement')).body.data.charged).toBe(used)
})

test('every role sees usage, and a caller without a session does not', async () => {
  const { accountRef } = customer
  for (const role of ['owner', 'member', 'billing'] as const) {
    const person = await signIn(service, { accountRef, role })
    const [{ id }] = (await read('', person)).records
    for (const end of ['', '.csv', `/${id}`]) expect((await person.get(`${path}${end}`)).status).toBe(200)
  }
  const staff = await signIn(service, { isStaff: true })
  for (const end of ['', '.csv', '/xyz']) {
    expect((await service.ask(`${path}${end}`)).body.errors.code).toBe('signed_out')
    const page = await service.ask(`${path}${end}`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`${path}${end}`)}`,
    ])
    expect((await staff.read(`${path}${end}`)).status).toBe(404)
  }
})

test("another account's usage record answers like a missing one", async () => {
  const [{ id }] = (await read()).records
  const other = await service.customer()
  const stranger = await signIn(service, { accountRef: other.accountRef })
  const theirs = await stranger.read(`${path}/${id}`)
  const none = await stranger.read(`${path}/xyz`)
  const late = await stranger.read(`${path}/${Buffer.from('1 9999999999999999').toString('base64url')}`)
  expect([theirs.status, theirs.body.errors]).toEqual([404, none.body.errors])
  expect([late.status, late.body.errors]).toEqual([404, none.body.errors])
  expect((await read('', stranger)).records).toEqual([])
  expect((await stranger.get(path)).text).toContain('No request yet.')
})

test('the usage chart has the requests of each day and endpoint', async () => {
  const { days } = await read()
  const resolved = days.find((each: { endpoint: string }) => each.endpoint === 'resolve_domain')
  expect(resolved).toMatchObject({ requests: 2, credits: 1 })
  expect((await billing.get(path)).text).toContain('<svg viewBox="0 0 900')
  const { from, until } = (await read('?chart_days=90')).chart
  expect(Date.parse(until) - Date.parse(from)).toBe(89 * 24 * 3_600_000)
  expect((await billing.read(`${path}?chart_days=7`)).status).toBe(400)
})

test('the legend of the usage chart filters by endpoint, and leads back to all', async () => {
  const { text } = await billing.get(`${path}?per_page=25`)
  const legend = text.match(/<ul class="legend">.*?<\/ul>/s)?.[0] ?? ''
  expect(legend).toContain(
    'href="/dashboard/usage?per_page=25&amp;chart_days=30&amp;endpoint=resolve_domain"',
  )
  const swatches = [...legend.matchAll(/series-\d+/g)].map(([swatch]) => swatch)
  expect(new Set(swatches).size).toBe(swatches.length)
  const filtered = (await billing.get(`${path}?endpoint=resolve_domain`)).text
  expect(filtered).toMatch(/<ul class="legend"><li>.*?<a href="\/dashboard\/usage\?[^"]*">Show all<\/a>/s)
})

test('the usage chart follows the filters, and is left out for a status or an MCP client', async () => {
  const endpointsOf = ({ days }: { days: { endpoint: string }[] }) => days.map(each => each.endpoint)
  expect(endpointsOf(await read('?endpoint=resolve_domain'))).toEqual(['resolve_domain'])
  const { keys } = await read()
  expect(endpointsOf(await read(`?key_ref=${keys[0].key_ref}`)).length).toBeGreaterThan(1)
  for (const query of ['?endpoint=nothing', '?key_ref=key_none', '?to=2026-01-31'])
    expect(endpointsOf(await read(query)), query).toEqual([])
  expect((await read('?from=2026-01-15&to=2026-01-31')).chart).toEqual({
    from: '2026-01-15',
    until: '2026-01-31',
  })
  for (const query of ['?status=5xx', '?mcp_client=nobody']) {
    const { text } = await billing.get(`${path}${query}`)
    expect(text).toContain('No request matches the filters.')
    expect(text).not.toContain('<svg viewBox="0 0 900')
  }
})

test('a chosen usage filter stays selected even if no record has its value', async () => {
  const { text } = await billing.get(`${path}?endpoint=nothing`)
  expect(text).toContain('<option value="nothing" selected>nothing</option>')
})

describe('the CSV of usage', () => {
  test('the CSV of usage has the same records as the pages', async () => {
    const file = await billing.get(`${path}.csv`)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const { records } = await read('?per_page=50')
    const cells = (each: Record<string, unknown>) =>
      [each.requested_at, each.endpoint, each.status, each.credits, each.duration_ms].join()
    const rows = file.text.trimEnd().split('\r\n').slice(1)
    expect(rows.map(row => row.split(',').slice(0, 5).join())).toEqual(records.map(cells))
  })

  test('the CSV of usage has the filtered records, and no cell that a spreadsheet would run', async () => {
    const file = await billing.get(`${path}.csv?endpoint=search_companies`)
    const [head, row, end] = file.text.split('\r\n')
    expect(head).toContain('requested_at,endpoint,status')
    expect(row).toContain("'=cmd")
    expect(end).toBe('')
    const none = await billing.get(`${path}.csv?endpoint=nothing`)
    expect(none.text).toBe(`${head}\r\n`)
  })

  test('a full CSV file of usage ends with the path of the next file', async () => {
    const accountRef = await generateUsage(service.service.live, 100_002)
    const owner = await signIn(service, { accountRef })
    const rows = (await owner.get(`${path}.csv`)).text.trimEnd().split('\r\n')
    expect(rows).toHaveLength(100_002)
    const [, next = ''] = /The next file: http:\/\/[^/]+([^,]+)/.exec(rows.at(-1) ?? '') ?? []
    const [, ...rest] = (await owner.get(next)).text.trimEnd().split('\r\n')
    expect(rest).toHaveLength(2)
    const timeOf = (row = '') => Date.parse(row.slice(0, 24))
    expect(timeOf(rest[0])).toBeLessThan(timeOf(rows.at(-2)))
  })
})
