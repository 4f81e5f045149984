import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { shownPages } from '../../pages/dashboard/index.ts'
import { sessionOperations } from '../../session-catalogue.ts'
import { tablesOf } from './page-requests.ts'

let service: TestService
let customer: Customer
let owner: Person
const names = ['=cmd|1', 'alpha', 'Beta', 'gamma', 'item 10', 'item 9']

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 500 })
  owner = await signIn(service, { ...customer, isStaff: true })
  for (const name of names) {
    const page = (await owner.get('/dashboard/keys')).text
    const nonce = /name="nonce" value="([^"]+)"/.exec(page)?.[1] ?? ''
    await owner.post('/dashboard/keys', { name, nonce, ...(name === 'gamma' && { expires: '2031-02-03' }) })
  }
})
afterAll(() => service.close())

const cellsOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<td[^>]*data-name="${name}">(.*?)</td>`, 'gs'))].map(([, cell]) =>
    String(cell),
  )
const keyNames = (text: string) => cellsOf(text, 'Key').map(cell => /<bdi>(.*?)<\/bdi>/.exec(cell)?.[1])
const namesAt = async (query: string) => keyNames((await owner.get(`/dashboard/keys${query}`)).text)
const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[]

describe('a table of the dashboard', () => {
  test('a table is sorted by the address, numbers by size, and its heads link the orders', async () => {
    const sorted = ['=cmd|1', 'alpha', 'Beta', 'gamma', 'item 9', 'item 10'].map(each =>
      each.replace('&', '&amp;'),
    )
    const ours = (all: (string | undefined)[]) => all.filter(each => sorted.includes(each ?? ''))
    expect(ours(await namesAt('?sort=name'))).toEqual(sorted)
    expect(ours(await namesAt('?sort=-name'))).toEqual(sorted.toReversed())
    const { text } = await owner.get('/dashboard/keys?sort=name')
    expect(text).toContain('aria-sort="ascending"><a href="/dashboard/keys?sort=-name">Key</a>')
    const expiring = (await owner.read('/dashboard/keys.json?sort=expires_at')).body.data.rows
    expect(expiring.map((row: { name: string }) => row.name)[0]).toBe('gamma')
    const last = (await owner.read('/dashboard/keys.json?sort=-expires_at')).body.data.rows
    expect(last.map((row: { name: string }) => row.name)[0]).toBe('gamma')
  })

  test('links above a table choose its rows by a value, and show their number', async () => {
    const key = (await owner.read('/dashboard/keys.json')).body.data.rows.find(
      (row: { name: string }) => row.name === 'alpha',
    )
    const page = (await owner.get('/dashboard/keys')).text
    const nonce = /name="nonce" value="([^"]+)"/.exec(page)?.[1] ?? ''
    await owner.post(`/dashboard/keys/${key.key_ref}/rotate`, { nonce })
    const { text } = await owner.get('/dashboard/keys')
    expect(text).toMatch(/<a href="\/dashboard\/keys\?where=state%3Areplaced">Replaced <small>1<\/small>/)
    expect(await namesAt('?where=state:replaced')).toEqual(['alpha'])
    expect(await namesAt('?where=state:replaced&where=state:active')).toEqual([])
    expect((await owner.get('/dashboard/keys?where=state:unknown')).text).toContain('No row matches.')
  })

  test('the files at the address of a table have the rows of the page in its order', async () => {
    const query = '?sort=-name&where=state:active'
    const csv = await owner.get(`/dashboard/keys.csv${query}`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toContain('keys.csv')
    const rows = rowsOf(csv.text)
    const { data } = (await owner.get(`/dashboard/keys.json${query}`)).body
    expect(data).toMatchObject({ table: 'keys', is_complete: true, next: null })
    const shown = await namesAt(query)
    expect(data.rows.map((row: { name: string | null }) => row.name ?? undefined)).toEqual(shown)
    expect(rows.map(row => row.name?.replace(/^'/, '') || undefined)).toEqual(shown)
    expect(rows.find(row => row.name?.includes('cmd'))?.name).toBe("'=cmd|1")
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(data.rows[0]))
    expect(csv.text).not.toContain('client_')
  })

  test('an unknown table, column or value is refused with what is accepted', async () => {
    for (const query of ['?table=other', '?sort=nothing', '?where=name', '?where=nothing:x', '?order=name'])
      for (const ending of ['', '.csv', '.json']) {
        const { status, body } = await owner.read(`/dashboard/keys${ending}${query}`)
        const expected = ending === '' && query !== '?order=name' ? 200 : 400
        expect([query, ending, status]).toEqual([query, ending, expected])
        if (ending === '.csv' && query === '?sort=nothing') expect(body.message).toContain('last_used_at')
      }
    const page = await owner.get('/dashboard/keys?sort=nothing')
    expect([page.status, page.text.includes('must be one of')]).toEqual([400, true])
  })

  test('a list of several pages keeps its order, and its file links the next page', async () => {
    for (let count = 0; count < 12; count += 1) await customer.ask('/v1/account')
    await service.service.usage.flush()
    const [plain, sorted] = await Promise.all(
      ['', '&sort=-duration_ms&where=status:500'].map(query =>
        owner.get(`/dashboard/usage?per_page=10${query}`),
      ),
    )
    const timesOf = (text: string) => cellsOf(text.split('<h1>')[1] ?? '', 'Time')
    expect(timesOf(sorted?.text ?? '')).toEqual(timesOf(plain?.text ?? ''))
    expect(plain?.text).not.toContain('sort=')
    expect(sorted?.text).toContain('A list of several pages keeps its order.')
    const first = await owner.get('/dashboard/usage.json?per_page=10')
    expect([first.body.data.rows.length, first.body.data.is_complete]).toEqual([10, false])
    expect(first.headers.get('link')).toBe(`<${first.body.data.next}>; rel="next"`)
    const reordered = await owner.read('/dashboard/usage.json?per_page=10&where=status:200')
    expect(reordered.status).toBe(400)
    const { data } = (await owner.get(first.body.data.next)).body
    expect([data.rows.length, data.is_complete, data.next]).toEqual([2, false, null])
  })
})

const withTables = sessionOperations.filter(({ name }) => tablesOf(shownPages[name]).length > 0)

test('the files of a table have the rights of its page', async () => {
  const nobody = await signIn(service, {})
  const billing = await signIn(service, { ...customer, role: 'billing' })
  for (const { path } of withTables.filter(each => !each.path.includes('{')))
    for (const ending of ['json', 'csv']) {
      const url = `${path}.${ending}`
      expect([url, (await nobody.read(url)).status]).toEqual([
        url,
        path === '/dashboard/security' ? 200 : 404,
      ])
      expect([url, (await owner.read(url)).status]).toEqual([url, 200])
      const page = (await billing.read(path)).status
      expect([url, (await billing.read(url)).status]).toEqual([url, page])
      const { status, body } = await service.ask(url)
      expect([url, status, body.errors.code]).toEqual([url, 401, 'signed_out'])
    }
})

test('a table of an object has files at the address of the object', async () => {
  const { records } = (await owner.read('/dashboard/usage')).body.data
  const bill = await owner.get(`/dashboard/usage/${records[0].id}.json`)
  expect(bill.body.data).toMatchObject({ table: 'bill', rows: [] })
  const path = `/dashboard/staff/accounts/${customer.accountRef}`
  const keys = rowsOf((await owner.get(`${path}.csv?table=keys&sort=name`)).text)
  expect(keys.map(row => row.name)).toContain('gamma')
  const members = (await owner.get(`${path}.json`)).body.data
  expect(members).toMatchObject({ table: 'members' })
  expect((await owner.get(`/dashboard/usage/x.csv`)).status).toBe(404)
})
