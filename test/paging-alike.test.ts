import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { createProspectList } from '../src/features/prospect-lists/index.ts'
import { type Customer, startService, type TestService } from './harness/service.ts'

let service: TestService
let customer: Customer
let companyRef: string
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer()
  const otter = await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
  companyRef = otter.body.data.company.company_ref
  await customer.ask('/v1/portfolios/merchants', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domains: ['luckyotter.example', 'twofaced.example', 'neverheard.example'] }),
  })
  await sql`update portfolio_members set added_after = 0`.execute(service.service.live.database)
  await sql`update portfolios set created_after = 0`.execute(service.service.live.database)
  await sql`
    with visit as (
      insert into lobby_visits (domain, device, state, reason, requested_at, finished_at)
      select 'luckyotter.example', 'desktop', 'failed', 'blocked', now(), now() from generate_series(1, 45)
      returning id
    )
    insert into lobby_runs (run_ref, account_id, visit_id, suppliers, requested_at)
    select 'lr_' || visit.id, account.id, visit.id, '{}', now()
      from visit
      join accounts account on account.account_ref = ${customer.accountRef}`.execute(
    service.service.live.database,
  )
  for (const day of [1, 2, 3])
    await createProspectList(service.service.live, customer.accountRef, {
      cadence: 'weekly',
      now: new Date(Date.UTC(2026, 4, day)),
    })
})
afterAll(() => service.close())

type Page = { next_cursor: string | null; has_more: boolean; total?: number } & Record<string, unknown>

async function walk(path: string, query: Record<string, string>): Promise<Page[]> {
  const pages: Page[] = []
  let after: string | null = null
  do {
    const asked = new URLSearchParams({ ...query, ...(after === null ? {} : { after }) })
    const { status, text, body } = await customer.ask(`${path}?${asked}`)
    expect(status, text).toBe(200)
    pages.push(body.data)
    after = body.data.next_cursor
  } while (pages.at(-1)?.has_more && pages.length < 100)
  return pages
}

const lists: Record<string, [rows: string, query: Record<string, string>]> = {
  search_domains: ['domains', { verdict: 'licensed', per_page: '5' }],
  search_companies: ['hits', { page_size: '5' }],
  search_licenses: ['hits', { page_size: '5' }],
  list_market_entries: ['signals', { role: 'operator', market: 'ukgc', page_size: '1' }],
  list_platform_sites: ['signals', { role: 'operator', platform: 'hexafold', page_size: '2' }],
  list_register_changes: ['signals', { jurisdiction: 'ukgc', page_size: '2' }],
  list_verdict_changes: ['changes', { page_size: '30' }],
  list_prospect_lists: ['prospect_lists', { page_size: '2' }],
  list_people: ['contacts', { limit: '3' }],
  list_portfolio_members: ['domains', { page_size: '2' }],
  list_portfolio_changes: ['changes', { page_size: '1' }],
  list_lobby_runs: ['lobby_runs', {}],
}

/** The numbers of rows in lists whose answers have no `total`. */
const rowsOf: Record<string, number> = {
  list_prospect_lists: 3,
  list_people: 10,
  list_portfolio_changes: 2,
  list_lobby_runs: 45,
}

const pathOf = (name: string) =>
  catalogue
    .find(each => each.name === name)
    ?.path.replace('{company_ref}', companyRef)
    .replace('{name}', 'merchants') as string

test('every list has the same members for paging', () => {
  const paged = catalogue.filter(({ query }) => 'after' in query.properties)
  expect(paged.map(({ name }) => name).sort()).toEqual(Object.keys(lists).sort())
  for (const { name, data } of paged)
    expect({ name, required: data.required }).toEqual({
      name,
      required: expect.arrayContaining(['next_cursor', 'has_more']),
    })
})

test.each(Object.entries(lists))('every page of %s can be read', async (name, [rows, query]) => {
  const pages = await walk(pathOf(name), query)
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.map(page => page.has_more)).toEqual(pages.map((_, at) => at < pages.length - 1))
  const found = pages.flatMap(page => page[rows] as object[])
  expect(new Set(found.map(row => JSON.stringify(row))).size).toBe(pages[0]?.total ?? rowsOf[name])
})

test.each(Object.entries(lists))(
  'a page of %s after the last one is empty and free',
  async (name, [rows, query]) => {
    const { path, query: declared } = catalogue.find(each => each.name === name) as (typeof catalogue)[number]
    if (!('page' in declared.properties)) return
    const size = 'per_page' in declared.properties ? 'per_page' : 'page_size'
    const paid = 'platform' in declared.properties ? [{ platform: 'hexafold' }] : []
    for (const filter of [{}, ...paid])
      for (const [page, rowsOnPage] of [
        [30, 10],
        [100, 100],
        [101, 100],
      ] as const) {
        const asked = { ...query, ...filter, page: String(page), [size]: String(rowsOnPage) }
        const { status, body, headers } = await customer.ask(`${path}?${new URLSearchParams(asked)}`)
        const answered = [asked, status, body.errors?.code, body.data?.[rows], body.data?.has_more]
        // A feed accepts no page number, only its cursor (§8).
        if (rows === 'signals' || rows === 'changes')
          expect(answered.slice(1, 3)).toEqual([400, 'invalid_parameter'])
        else if (page > 100) expect(answered.slice(1, 3)).toEqual([400, 'page_out_of_range'])
        else expect(answered).toEqual([asked, 200, undefined, [], false])
        expect(headers.get('x-credits-charged')).toBe('0')
      }
  },
)

test('the error for a cursor of another list differs from the error for an altered cursor', async () => {
  const made = await Promise.all(
    Object.entries(lists).map(async ([name, [, query]]) => {
      const path = pathOf(name)
      const { body } = await customer.ask(`${path}?${new URLSearchParams(query)}`)
      return { path, query, cursor: body.data.next_cursor as string }
    }),
  )
  const refusal = async (path: string, query: Record<string, string>, after: string) => {
    const { status, body } = await customer.ask(`${path}?${new URLSearchParams({ ...query, after })}`)
    return { path, after, status, code: body.errors?.code, message: body.message }
  }
  for (const { path, query, cursor } of made) {
    const refused = { path, status: 400, code: 'invalid_cursor' }
    for (const after of made.filter(other => other.path !== path).map(other => other.cursor)) {
      const message = expect.stringContaining('belongs to another list')
      expect(await refusal(path, query, after)).toEqual({ ...refused, after, message })
    }
    const after = `${cursor}A`
    const message = expect.stringContaining('altered')
    expect(await refusal(path, query, after)).toEqual({ ...refused, after, message })
  }
})
