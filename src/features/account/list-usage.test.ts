import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

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
  test('are ten a page, fifty at most, latest first', async () => {
    expect((await read()).records).toHaveLength(10)
    expect((await read('?per_page=500')).records).toHaveLength(26)
    const times = (await read('?per_page=50')).records.map(
      (each: { requested_at: string }) => each.requested_at,
    )
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('are paged without a gap or a repeat while others arrive', async () => {
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

  test('are filtered by endpoint, status, key, MCP client and day', async () => {
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

  test('show no site that was asked for', async () => {
    const page = await billing.get(`${path}?per_page=50`)
    expect(page.text).not.toContain('secret-site')
    const [{ id }] = (await read('?status=402')).records
    expect((await billing.get(`${path}/${id}`)).text).not.toContain('secret-site')
    expect((await billing.get(`${path}.csv`)).text).not.toContain('secret-site')
  })

  test('a wrong filter or cursor says what is wrong', async () => {
    expect((await billing.read(`${path}?status=9`)).body.errors.details.takes).toBe(
      'a status such as 429, or 4xx',
    )
    expect((await billing.read(`${path}?after=nonsense`)).status).toBe(400)
    const { next_cursor: cursor } = await read()
    const other = await billing.read(`${path}?status=2xx&after=${encodeURIComponent(cursor)}`)
    expect(other.body.errors.code).toBe('cursor_filter_mismatch')
  })

  test('markup in what clients send is text', async () => {
    const [{ id }] = (await read(`?mcp_client=${encodeURIComponent('=cmd<script>')}`)).records
    const { text } = await billing.get(`${path}/${id}`)
    expect(text).toContain('=cmd&lt;script&gt;')
    expect(text).not.toContain('=cmd<script>')
  })
})

test('a record opens its bill, and the sums are those of the ledger', async () => {
  const records: Shown[] = (await read('?per_page=50&endpoint=resolve_domain')).records
  const paid = records.find(each => each.credits > 0) as Shown
  const { bill } = (await billing.read(`${path}/${paid.id}`)).body.data
  expect(bill).toMatchObject([{ price_key: 'domain.verdict', units: 1, credits: 1 }])
  const free = records.find(each => each.credits === 0) as Shown
  expect((await billing.get(`${path}/${free.id}`)).text).toContain('Nothing was charged for this request.')
})

test('another account’s record answers as one that does not exist', async () => {
  const [{ id }] = (await read()).records
  const other = await service.customer()
  const stranger = await signIn(service, { accountRef: other.accountRef })
  const theirs = await stranger.read(`${path}/${id}`)
  const none = await stranger.read(`${path}/xyz`)
  expect([theirs.status, theirs.body.errors]).toEqual([404, none.body.errors])
  expect((await read('', stranger)).records).toEqual([])
  expect((await stranger.get(path)).text).toContain('No request yet.')
})

test('the chart has the requests of each day and endpoint', async () => {
  const { days } = await read()
  const resolved = days.find((each: { endpoint: string }) => each.endpoint === 'resolve_domain')
  expect(resolved).toMatchObject({ requests: 2, credits: 1 })
  expect((await billing.get(path)).text).toContain('<svg')
})

test('the CSV has every record that matches, and no cell that a spreadsheet would run', async () => {
  const file = await billing.get(`${path}.csv?endpoint=search_companies`)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toMatch(
    /^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const [head, row, end] = file.text.split('\r\n')
  expect(head).toContain('requested_at,endpoint,status')
  expect(row).toContain("'=cmd")
  expect(end).toBe('')
})
