import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fullResult, listResult, target } from '../features/prospect-lists/fixture.ts'
import {
  cancelProspectList,
  createProspectList,
  deliverProspectList,
  listProspectListsForStaff,
  prepareProspectList,
} from '../features/prospect-lists/index.ts'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'

let small: TestWorld
beforeAll(async () => {
  small = await openTestWorld()
})
beforeEach(() => small.empty())
afterAll(() => small.close())

const account: Line = { kind: 'account', key: 'otter', name: 'Otter Ltd', plan: 'growth', credits_granted: 5 }
const list = (changes: Line = {}): Line => ({
  kind: 'prospect_list',
  account: 'otter',
  cadence: 'weekly',
  status: 'requested',
  ...changes,
})
const ready = (changes: Line = {}) => list({ status: 'ready', result: fullResult, ...changes })

const stored = () => listProspectListsForStaff(small.world, {})
const counts = (added: number, changed: number, unchanged: number) => ({ added, changed, unchanged })

test('a prospect list of each status is loaded, for an account of the files or the database', async () => {
  await small.load([account])
  const report = await small.load([
    list(),
    list({ status: 'preparing', cadence: 'continuous' }),
    ready({ cadence: 'one_time', requested_at: '2026-01-01T00:00:00Z', ready_at: '2026-01-08T00:00:00Z' }),
    list({ status: 'cancelled' }),
  ])
  expect(report).toMatchObject({ rejected: 0, loaded: { prospect_list: counts(4, 0, 0) } })
  const [preparing, ...others] = (await stored())
    .sort((one, other) => (one.status < other.status ? 1 : -1))
    .slice(1)
  expect([others.at(-1)?.status, preparing?.account_name]).toEqual(['cancelled', 'Otter Ltd'])
  expect((await stored()).find(each => each.status === 'ready')).toMatchObject({
    requested_at: new Date('2026-01-01T00:00:00Z'),
    ready_at: new Date('2026-01-08T00:00:00Z'),
    target_account_count: 2,
  })
  expect((await stored()).find(each => each.status === 'requested')?.requested_at).toEqual(loadedAt)
})

describe('prospect lists that are loaded twice', () => {
  test('prospect list lines with different keys are different lists', async () => {
    const lines = [account, list({ key: 'a' }), ready({ key: 'b' })]
    await small.load(lines)
    const before = await stored()
    const again = await small.load(lines, { now: later })
    expect(again.loaded).toEqual({ account: counts(0, 0, 1), prospect_list: counts(0, 0, 2) })
    expect(await stored()).toEqual(before)
  })

  test('each prospect list line without a key is a list, even if two lines are identical', async () => {
    const lines = [account, list(), list(), ready(), list({ status: 'preparing' }), list()]
    const first = await small.load(lines)
    expect(first.loaded.prospect_list).toEqual(counts(5, 0, 0))
    const again = await small.load(lines, { now: later })
    expect(again.loaded.prospect_list).toEqual(counts(0, 0, 5))
    const more = await small.load([...lines, list()], { now: later })
    expect(more.loaded.prospect_list).toEqual(counts(1, 0, 5))
    expect(await stored()).toHaveLength(6)
  })

  test('of several prospect list lines with one key, the last one wins', async () => {
    const report = await small.load([account, ready({ key: 'a' }), list({ key: 'a' })])
    expect(report.loaded.prospect_list).toEqual(counts(1, 0, 1))
    expect(await stored()).toMatchObject([{ status: 'requested' }])
  })
})

describe('a stored prospect list', () => {
  test('a stored list follows its line from status to status and keeps its ref', async () => {
    await small.load([account, list({ key: 'a' })])
    const [{ prospect_list_ref: ref } = { prospect_list_ref: '' }] = await stored()
    const steps = [
      list({ key: 'a', status: 'preparing' }),
      ready({ key: 'a' }),
      list({ key: 'a', status: 'cancelled' }),
    ]
    for (const step of steps) {
      const report = await small.load([step], { now: later })
      expect(report.loaded.prospect_list).toEqual(counts(0, 1, 0))
      const [list, ...others] = await stored()
      expect([list?.prospect_list_ref, list?.status, list?.requested_at, others]).toEqual([
        ref,
        step.status,
        loadedAt,
        [],
      ])
    }
  })

  test('a line does not reset a list that staff have changed since the last import', async () => {
    const lines = [account, list({ key: 'a' }), list({ key: 'b' }), ready({ key: 'c' })]
    await small.load(lines)
    const refs = (
      await sql<{ ref: string }>`
      select prospect_list_ref as ref from prospect_lists order by import_key`.execute(small.world.database)
    ).rows.map(row => row.ref)
    const [a = '', b = '', c = ''] = refs
    await prepareProspectList(small.world, a)
    await deliverProspectList(small.world, b, { result: fullResult, now: later })
    await cancelProspectList(small.world, c)
    const report = await small.load(lines, { now: later })
    expect(report.loaded.prospect_list).toEqual(counts(0, 0, 3))
    expect((await stored()).map(({ status }) => status).sort()).toEqual(['cancelled', 'preparing', 'ready'])
  })

  test('a stored one_time list that was delivered is not delivered again with another result', async () => {
    const once = { key: 'a', cadence: 'one_time' }
    await small.load([account, ready(once)])
    const report = await small.load([ready({ ...once, result: listResult(target('other')) })])
    expect(report).toMatchObject({ rejected: 1, loaded: {} })
    expect(report.rejects[0]?.reason).toMatch(
      /^result: the list with this key was delivered with another result/,
    )
  })

  test('a later result of a weekly list replaces the earlier one, in any order of the files', async () => {
    const first = ready({ key: 'a', ready_at: '2026-01-08T00:00:00Z' })
    const second = { ...first, ready_at: '2026-01-15T00:00:00Z', result: listResult(target('other')) }
    await small.load([account, first])
    for (const [line, changed] of [
      [second, 1],
      [second, 0],
      [first, 0],
    ] as const)
      expect((await small.load([line])).loaded.prospect_list).toEqual(counts(0, changed, 1 - changed))
    expect(await stored()).toMatchObject([{ ready_at: new Date(second.ready_at), target_account_count: 1 }])
    const undated = ready({ key: 'a', result: listResult(target('a'), target('b')) })
    await small.load([undated], { now: later })
    expect(await stored()).toMatchObject([{ ready_at: later, target_account_count: 2 }])
  })

  test('a stored list cannot move to another account', async () => {
    await small.load([account, { ...account, key: 'heron', name: 'Heron Ltd' }, list({ key: 'a' })])
    const report = await small.load([list({ key: 'a', account: 'heron' })])
    expect(report.rejects[0]?.reason).toBe('account: the list with this key belongs to another account')
  })
})

test.each<[string, Line, string]>([
  [
    'of no account',
    list({ account: 'nobody' }),
    'account: no account with the key "nobody" was loaded, before or in these files',
  ],
  [
    'of another status',
    list({ status: 'done' }),
    'status: must be one of requested, preparing, ready, cancelled',
  ],
  [
    'ready without a result',
    list({ status: 'ready' }),
    'status ready needs a result, and any other status must have none',
  ],
  [
    'with a result too early',
    list({ result: fullResult }),
    'status ready needs a result, and any other status must have none',
  ],
  ['ready too early', list({ ready_at: '2026-01-01T00:00:00Z' }), 'ready_at needs status ready or cancelled'],
  [
    'delivered before it was requested',
    ready({ requested_at: '2026-01-02T00:00:00Z', ready_at: '2026-01-01T00:00:00Z' }),
    'requested_at is after ready_at',
  ],
  [
    'with a result that is none',
    ready({ result: { ...fullResult, target_accounts: [{ ...target('a'), key_contacts: [] }] } }),
    'result: target_accounts[0].key_contacts: must have at least 1 item',
  ],
])('a prospect list line %s is rejected with its position and reason', async (_, line, reason) => {
  const report = await small.load([account, line])
  expect(report).toMatchObject({ rejected: 1, loaded: {}, rejects: [{ line: 2, reason }] })
  expect(await stored()).toEqual([])
})

test('a dump of lists made by staff and by files loads back unchanged anywhere', async () => {
  await small.load([account, list(), list(), ready({ key: 'b' }), list({ key: 'c', status: 'cancelled' })])
  const { prospect_list_ref: ref } = await createProspectList(small.world, 'otter', {
    cadence: 'continuous',
    now: loadedAt,
  })
  await deliverProspectList(small.world, ref, { result: fullResult, now: later })
  const dumped = await small.dump()
  expect(dumped.filter(line => line.includes('"kind":"prospect_list"'))).toHaveLength(5)
  expect(await small.load(dumped, { now: later })).toMatchObject({
    rejected: 0,
    loaded: { prospect_list: counts(0, 0, 5) },
  })
  expect(await small.dump()).toEqual(dumped)
  await small.empty()
  expect(await small.load(dumped, { now: later })).toMatchObject({ rejected: 0 })
  expect(await small.dump()).toEqual(dumped)
})

test('the history of facts contains no prospect list', async () => {
  await small.load([account, ready({ key: 'a' }), { kind: 'company', key: 'acme' }])
  const { rows } = await sql<{ text: string }>`
    select convert_from(content, 'UTF8') as text from kept_chunks`
    .execute(small.world.database)
    .catch(() => ({
      rows: [] as { text: string }[],
    }))
  expect(JSON.stringify(rows)).not.toContain('luckyotter')
  const { rows: events } = await sql<{ count: number }>`
    select count(*) as count from dataset_events`.execute(small.world.database)
  expect(events).toEqual([{ count: 1 }])
})
