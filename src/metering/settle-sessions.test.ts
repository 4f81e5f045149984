import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { World } from '../database/open.ts'
import { accountWith, type Books, chargeItem, expectTrueBooks, figures, keyed, openBooks } from './fixture.ts'
import { purgeMcpSessions } from './housekeeping.ts'
import { sessionSpend } from './session-spend.ts'
import type { Settler } from './settle.ts'
import type { SettleItem } from './settle-statement.ts'

let world: World
let pool: pg.Pool
let settler: Settler
let close: Books['close']

beforeAll(async () => {
  ;({ world, pool, settler, close } = await openBooks())
})
afterEach(() => expectTrueBooks(world))
afterAll(() => close())

const inSession = (item: SettleItem, id: string, creditsMax: number | null): SettleItem => ({
  ...item,
  session: { id, creditsMax },
})
const outcomesOf = async (items: SettleItem[]) =>
  (await Promise.all(items.map(item => settler.settle(item)))).map(({ outcome }) => outcome)

test('simultaneous calls never spend more than the budget of their session', async () => {
  const account = await accountWith(world, 1_000)
  const outcomes = await outcomesOf(
    Array.from({ length: 50 }, () => inSession(chargeItem(account, 3), 'burst', 20)),
  )
  expect(outcomes.filter(outcome => outcome === 'settled')).toHaveLength(6)
  expect(outcomes.filter(outcome => outcome === 'budget_exceeded')).toHaveLength(44)
  expect(await sessionSpend(world, account, 'burst')).toBe(18)
  expect((await figures(world, account)).used).toBe(18)
})

test('a smaller call can still use the rest of a budget after a larger call was refused', async () => {
  const account = await accountWith(world, 100)
  const costs = [4, 5, 1, 1]
  expect(await outcomesOf(costs.map(cost => inSession(chargeItem(account, cost), 'fits', 5)))).toEqual([
    'settled',
    'budget_exceeded',
    'settled',
    'budget_exceeded',
  ])
})

test('a budget of 0 allows free calls, and the spend of a session without a budget is counted', async () => {
  const account = await accountWith(world, 100)
  const items = [chargeItem(account, 0), chargeItem(account, 1)].map(item => inSession(item, 'none', 0))
  expect(await outcomesOf(items)).toEqual(['settled', 'budget_exceeded'])
  expect(await sessionSpend(world, account, 'none')).toBe(0)
  expect(await outcomesOf([inSession(chargeItem(account, 7), 'counted', null)])).toEqual(['settled'])
  expect(await sessionSpend(world, account, 'counted')).toBe(7)
})

test('neither a replay nor a settlement that is sent again spends anything of the budget', async () => {
  const account = await accountWith(world, 100)
  const call = inSession(keyed(account, 4, 'once'), 'retried', 5)
  expect(await outcomesOf([call])).toEqual(['settled'])
  expect(await outcomesOf([call])).toEqual(['settled'])
  expect(await outcomesOf([inSession(keyed(account, 4, 'once'), 'retried', 5)])).toEqual(['replayed'])
  expect(await sessionSpend(world, account, 'retried')).toBe(4)
})

test('a call is refused if either the balance or the budget is too low', async () => {
  const account = await accountWith(world, 3)
  expect(await outcomesOf([inSession(chargeItem(account, 4), 'poor', 10)])).toEqual(['quota_exceeded'])
  expect(await outcomesOf([inSession(chargeItem(account, 4), 'poor', 3)])).toEqual(['budget_exceeded'])
})

test('the spend of a session is the sum of its charges, and never exceeds its budget', async () => {
  const call = fc.record({
    account: fc.nat({ max: 1 }),
    session: fc.constantFrom('a', 'b'),
    credits: fc.integer({ min: 0, max: 6 }),
    creditsMax: fc.option(fc.integer({ min: 0, max: 12 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 4 }), async batches => {
      const accounts = await Promise.all([accountWith(world, 1_000), accountWith(world, 1_000)])
      const spent = new Map<string, number>()
      for (const batch of batches) {
        const items = batch.map(({ account, session, credits, creditsMax }) =>
          inSession(chargeItem(accounts[account] as number, credits), session, creditsMax),
        )
        const outcomes = await outcomesOf(items)
        for (const [index, { account, session, credits, creditsMax }] of batch.entries()) {
          const place = `${accounts[account]} ${session}`
          const after = (spent.get(place) ?? 0) + credits
          const fits = creditsMax === null || after <= creditsMax
          expect(outcomes[index]).toBe(fits ? 'settled' : 'budget_exceeded')
          if (fits) spent.set(place, after)
        }
      }
      for (const [place, credits] of spent) {
        const [account, session] = place.split(' ') as [string, string]
        expect(await sessionSpend(world, Number(account), session)).toBe(credits)
      }
    }),
    { numRuns: 30 },
  )
})

test('a refused call has a usage record of 402 and 0 credits', async () => {
  const account = await accountWith(world, 10)
  const usage = {
    requestedAt: new Date(),
    endpoint: 'resolve_domain',
    durationMs: 1,
    requestParams: '{}',
    source: 'mcp' as const,
    client: { connector_session_id: 'recorded' },
    keyId: null,
  }
  await outcomesOf([inSession(chargeItem(account, 4, { usage }), 'recorded', 3)])
  const { rows } = await pool.query(
    'select status, credits, settlement_status from usage_records where account_id = $1',
    [account],
  )
  expect(rows).toEqual([{ status: 402, credits: 0, settlement_status: 'refused' }])
})

test('the spend of a session is deleted after the session has ended', async () => {
  const account = await accountWith(world, 10)
  await outcomesOf([inSession(chargeItem(account, 1), 'old', null)])
  expect(await purgeMcpSessions(world.database, new Date(Date.now() - 86_400_000))).toBe(0)
  expect(await purgeMcpSessions(world.database, new Date(Date.now() + 31 * 86_400_000))).toBeGreaterThan(0)
  expect(await sessionSpend(world, account, 'old')).toBe(0)
})
