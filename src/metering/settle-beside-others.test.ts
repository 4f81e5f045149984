import { openPool } from '@baize/postgres'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import type { World } from '../database/open.ts'
import { accountWith, type Books, chargeItem, expectTrueBooks, figures, keyed, openBooks } from './fixture.ts'
import { Settler } from './settle.ts'
import { type SettleItem, type SettleOutcome, settleOnce } from './settle-statement.ts'
import { newSettlementId } from './settlement-id.ts'

// A batch runs beside other transactions and processes. It waits, skips or refuses.

let testDatabase: TestDatabase
let world: World
let pool: pg.Pool
let settler: Settler
let close: Books['close']

beforeAll(async () => {
  ;({ testDatabase, world, pool, settler, close } = await openBooks())
})

afterAll(() => close())

/** Settles one batch on a separate connection, as another process does. */
async function settleBeside(
  items: SettleItem[],
  skipBusy = false,
  runner: Pick<pg.Pool, 'query'> = pool,
): Promise<SettleOutcome[]> {
  return settleOnce(
    async (text, values) => (await runner.query<SettleOutcome>({ name: 'settle', text, values })).rows,
    items,
    skipBusy,
  )
}

const figuresOf = (outcomes: readonly SettleOutcome[]) =>
  outcomes.map(({ outcome, moved, granted, used, reserved }) => [outcome, moved, granted, used, reserved])

test('a batch that waited for its accounts sees the balances after the other batch', async () => {
  const [first, second, third] = [
    await accountWith(world, 5),
    await accountWith(world, 5),
    await accountWith(world, 5),
  ]
  const other = await pool.connect()
  await other.query('begin')
  // The second account is locked, too, after the first.
  await settleBeside([chargeItem(second, 4), keyed(first, 3, 'shared', { body: 'theirs' })], false, other)
  const waiting = settleBeside([
    chargeItem(third, 5),
    chargeItem(second, 2),
    keyed(first, 3, 'shared', { body: 'ours' }),
    chargeItem(first, 3),
    chargeItem(first, 2),
    chargeItem(second, 1),
  ])
  await eventually('it waits for them', async () => {
    const { rows } = await sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(world.database)
    return rows.length === 1
  })
  await other.query('commit')
  other.release()
  const outcomes = await waiting
  expect(figuresOf(outcomes)).toEqual([
    ['settled', 5, 5, 5, 0],
    ['quota_exceeded', 0, 5, 5, 0],
    ['replayed', 0, 5, 5, 0],
    ['quota_exceeded', 0, 5, 5, 0],
    ['settled', 2, 5, 5, 0],
    ['settled', 1, 5, 5, 0],
  ])
  expect(outcomes[2]?.stored_body).toBe('theirs')
  await expectTrueBooks(world)
})

test('unknown and locked accounts do not affect other accounts of a batch', async () => {
  const accounts = [
    await accountWith(world, 10),
    await accountWith(world, 20),
    await accountWith(world, 30),
  ] as const
  const [poor, locked, rich] = accounts
  const unknown = [-5, rich + 1_000_000]
  const batch = [-5, rich, locked, poor, rich + 1_000_000, rich].map(account => chargeItem(account, 1))
  expect(figuresOf(await settleBeside(batch))).toEqual([
    ['unknown_account', 0, null, null, null],
    ['settled', 1, 30, 2, 0],
    ['settled', 1, 20, 1, 0],
    ['settled', 1, 10, 1, 0],
    ['unknown_account', 0, null, null, null],
    ['settled', 1, 30, 2, 0],
  ])
  await world.database.transaction().execute(async tx => {
    await sql`select 1 from account_balances where account_id = ${locked} for update`.execute(tx)
    const again = [...batch, chargeItem(locked, 1)].map(item => ({
      ...item,
      settlementId: newSettlementId(),
    }))
    expect(figuresOf(await settleBeside(again, true))).toEqual([
      // A locked account looks like an unknown one with `skip_busy`.
      ['busy', 0, null, null, null],
      ['settled', 1, 30, 4, 0],
      ['busy', 0, null, null, null],
      ['settled', 1, 10, 2, 0],
      ['busy', 0, null, null, null],
      ['settled', 1, 30, 4, 0],
      ['busy', 0, null, null, null],
    ])
    expect(figuresOf(await settleBeside([chargeItem(locked, 1)], true))).toEqual([
      ['busy', 0, null, null, null],
    ])
  })
  expect(figuresOf(await settleBeside(unknown.map(account => chargeItem(account, 1))))).toEqual(
    unknown.map(() => ['unknown_account', 0, null, null, null]),
  )
  expect((await figures(world, locked)).used).toBe(1)
  await expectTrueBooks(world)
})

test('two processes charge accounts in any order, exactly and without a deadlock', async () => {
  const accounts = await Promise.all([40, 40, 40].map(credits => accountWith(world, credits)))
  const elsewhere = openPool(testDatabase.connection, 'public', { connectionsMax: 4 })
  const settlers = [settler, new Settler(elsewhere)]
  const work = Array.from({ length: 300 }, (_, index) => {
    const account = accounts[(index * 7) % 3] as number
    const { settle } = settlers[index % 2] as Settler
    const item = index % 4 === 0 ? keyed(account, 1, `key ${index >> 3}`) : chargeItem(account, 1)
    return settle.call(settlers[index % 2], item)
  })
  const outcomes = await Promise.all(work)
  await elsewhere.end()
  for (const outcome of outcomes) expect(['settled', 'replayed', 'quota_exceeded']).toContain(outcome.outcome)
  for (const account of accounts)
    expect(await figures(world, account)).toEqual({ granted: 40, used: 40, reserved: 0 })
  await expectTrueBooks(world)
})

test('a grant beyond 2^53 − 1 is refused, and other items of its batch are settled', async () => {
  const account = await accountWith(world, 0)
  const grantItem = (credits: number): SettleItem => ({
    kind: 'grant',
    accountId: account,
    settlementId: newSettlementId(),
    credits,
  })
  const most = Number.MAX_SAFE_INTEGER
  const outcomes = await settleBeside([
    grantItem(most - 1),
    grantItem(2),
    chargeItem(account, 1),
    grantItem(1),
  ])
  expect(figuresOf(outcomes)).toEqual([
    ['settled', most - 1, most, 1, 0],
    ['beyond_bounds', 0, most, 1, 0],
    ['settled', 1, most, 1, 0],
    ['settled', 1, most, 1, 0],
  ])
  await expectTrueBooks(world)
})
