import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { authorisation, day, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'

let service: TestService
let customer: Customer
let today = 1
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 100_000 })
  await list([])
})
afterEach(async () => {
  await customer.ask('/v1/portfolios/mine', { method: 'DELETE' })
  await list([])
})
afterAll(() => service.close())

const headers = { 'content-type': 'application/json' }
const write = (method: 'PUT' | 'PATCH', body: object, name = 'mine') =>
  customer.ask(`/v1/portfolios/${name}`, { method, headers, body: JSON.stringify(body) })
const changes = (query = '', name = 'mine') => customer.ask(`/v1/portfolios/${name}/changes${query}`)
const domainsOf = (rows: { domain: string }[]) => rows.map(({ domain }) => domain)

/** Syncs a register of the sites. Some rows more keep its guard quiet. */
async function list(sites: readonly string[]): Promise<void> {
  today += 1
  const rows = ['always.example', ...sites].map(site => authorisation(site))
  await syncApproved(service.service.live, fakeStream('malta.sites'), [fileOf(...rows)], {
    takenAt: day(today),
    now: day(today),
  })
}

test('changes of members are delivered once, oldest first, with both sides and their price', async () => {
  await write('PUT', { domains: ['one.example', 'two.example', 'three.example'] })
  const start = (await changes()).body.data
  expect(start).toMatchObject({ changes: [], has_more: false, billing: { credits_charged: 0 } })
  await list(['one.example', 'other.example'])
  await list(['two.example'])
  const first = await changes(`?page_size=2&after=${start.next_cursor}`)
  expect(declaredData('list_portfolio_changes')(first.body.data)).toBeNull()
  expect(first.headers.get('x-credits-charged')).toBe('2')
  expect(first.body.data).toMatchObject({ name: 'mine', has_more: true, page_size: 2 })
  const last = (await changes(`?page_size=2&after=${first.body.data.next_cursor}`)).body.data
  expect(last).toMatchObject({ has_more: false, billing: { credits_charged: 1 } })
  const all = [...first.body.data.changes, ...last.changes]
  expect(domainsOf(all).sort()).toEqual(['one.example', 'one.example', 'two.example'])
  expect(all.find(each => each.domain === 'two.example')).toMatchObject({
    before: { verdict: 'no_record', licensed_by: [], blocked_by: [] },
    after: { verdict: 'licensed', licensed_by: [{ geo: 'malta' }] },
    cause: 'register',
    is_correction: false,
    correction_of: null,
  })
  expect((await changes(`?after=${last.next_cursor}`)).headers.get('x-credits-charged')).toBe('0')
  expect((await changes()).body.data.changes).toHaveLength(3)
})

test('a portfolio that is replaced while its changes are read delivers each change once', async () => {
  const sites = ['a.example', 'b.example', 'c.example', 'd.example']
  await write('PUT', { domains: sites })
  let after = (await changes()).body.data.next_cursor
  const readNext = async () => {
    const { status, body } = await changes(`?page_size=1&after=${after}`)
    expect(status).toBe(200)
    after = body.data.next_cursor
    return domainsOf(body.data.changes)
  }
  await list(sites)
  const seen: string[] = []
  for (let page = 0; page < 6; page += 1) {
    const replaced = { domains: page % 2 === 0 ? [...sites, 'new.example'] : sites }
    const [read, { status }] = await Promise.all([readNext(), write('PUT', replaced)])
    expect(status).toBe(200)
    seen.push(...read)
  }
  expect(seen.toSorted()).toEqual(sites)
  await list([])
  const [first] = await readNext()
  const rest = sites.filter(site => site !== first).slice(1)
  await write('PUT', { domains: rest })
  expect([...(await readNext()), ...(await readNext()), ...(await readNext())].toSorted()).toEqual(rest)
})

test('a member that is added later starts at that moment, and a removed one has none', async () => {
  await write('PUT', { domains: ['one.example'] })
  await list(['two.example', 'one.example'])
  await write('PATCH', { add: ['two.example'] })
  expect(domainsOf((await changes()).body.data.changes)).toEqual(['one.example'])
  await list(['one.example'])
  await write('PATCH', { add: ['one.example'] })
  expect(domainsOf((await changes()).body.data.changes)).toEqual(['one.example', 'two.example'])
  await write('PUT', { domains: ['two.example'] })
  expect(domainsOf((await changes()).body.data.changes)).toEqual(['two.example'])
  await write('PATCH', { remove: ['two.example'] })
  await write('PATCH', { add: ['two.example'] })
  expect((await changes()).body.data.changes).toEqual([])
})

test('a cursor belongs to its portfolio and to the account, and limits hold', async () => {
  await write('PUT', { domains: ['one.example'] })
  await list(['one.example'])
  const { next_cursor: cursor } = (await changes()).body.data
  await write('PUT', { domains: ['one.example'] }, 'other')
  const codeOf = async (query: string, name = 'mine') => {
    const { status, body } = await changes(query, name)
    return [status, body.errors.code]
  }
  expect(await codeOf(`?after=${cursor}`, 'other')).toEqual([400, 'cursor_filter_mismatch'])
  expect(await codeOf('?after=pc1_x')).toEqual([400, 'invalid_cursor'])
  expect(await codeOf('?max_credits=0')).toEqual([402, 'max_credits_exceeded'])
  expect(await codeOf('', 'nothing')).toEqual([404, 'not_found'])
  const stranger = await service.customer()
  const theirs = await stranger.ask('/v1/portfolios/mine/changes')
  expect([theirs.status, theirs.body.errors.code]).toEqual([404, 'not_found'])
  const key = { headers: { 'idempotency-key': 'changes' } }
  const path = '/v1/portfolios/mine/changes'
  expect((await customer.ask(path, key)).body.data.changes).toHaveLength(1)
  const reused = await customer.ask(`${path}?page_size=1`, key)
  expect([reused.status, reused.body.errors.code]).toEqual([409, 'idempotency_key_reused'])
  await write('PUT', { domains: ['poor.example'] })
  const poor = await service.customer({ credits: 0 })
  const of = { method: 'PUT', headers, body: JSON.stringify({ domains: ['poor.example'] }) }
  await poor.ask('/v1/portfolios/mine', of)
  await list(['poor.example'])
  const refused = await poor.ask('/v1/portfolios/mine/changes')
  expect([refused.status, refused.body.errors.code]).toEqual([429, 'quota_exceeded'])
})

test('for any history, a portfolio has just the changes of its members', async () => {
  const sites = ['a.example', 'b.example', 'c.example']
  const some = fc.subarray(sites)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('list' as const), sites: some }),
    fc.record({ kind: fc.constant('put' as const), sites: some }),
    fc.record({ kind: fc.constant('patch' as const), sites: some, removed: some }),
    fc.record({ kind: fc.constant('read' as const), size: fc.integer({ min: 1, max: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      await customer.ask('/v1/portfolios/mine', { method: 'DELETE' })
      await list([])
      await write('PUT', { domains: [] })
      let listed = new Set<string>()
      let members = new Set<string>()
      const expected: string[] = []
      const delivered: string[] = []
      let after = (await changes()).body.data.next_cursor
      const read = async (size: number) => {
        for (let more = true; more; ) {
          const { data } = (await changes(`?page_size=${size}&after=${after}`)).body
          delivered.push(...data.changes.map(textOf))
          after = data.next_cursor
          more = data.has_more
        }
      }
      for (const each of steps) {
        // A member that is removed takes its unread changes with it.
        if (each.kind === 'read') await read(each.size)
        else if (each.kind === 'list') {
          const now = new Set(each.sites)
          for (const site of sites)
            if (listed.has(site) !== now.has(site) && members.has(site))
              expected.push(`${site} ${now.has(site) ? 'licensed' : 'no_record'}`)
          listed = now
          await list(each.sites)
        } else {
          await read(2)
          const removed = each.kind === 'patch' ? each.removed : sites
          members = new Set([...[...members].filter(site => !removed.includes(site)), ...each.sites])
          if (each.kind === 'put') await write('PUT', { domains: each.sites })
          else await write('PATCH', { add: each.sites, remove: removed })
        }
      }
      await read(1)
      expect(delivered.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: 15 },
  )
})

const textOf = ({ domain, after }: { domain: string; after: { verdict: string } }) =>
  `${domain} ${after.verdict}`
