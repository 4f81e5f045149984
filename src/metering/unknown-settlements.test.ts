import { openPool } from '@baize/postgres'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { openWorld, type World } from '../database/open.ts'
import { createAccount, requireAccount } from '../features/account/index.ts'
import { charge } from './pricing.ts'
import { OutcomeUnknown, Settler } from './settle.ts'
import type { SettleItem } from './settle-statement.ts'
import { newSettlementId } from './settlement-id.ts'
import { UnknownSettlements } from './unknown-settlements.ts'

/** No database listens on this port. */
const nobodysPort = 1

let database: TestDatabase
let world: World
let pool: pg.Pool
let account: number

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
  pool = openPool(database.connection, 'public', { connectionsMax: 2 })
  const created = await createAccount(world, { name: 'Cut off', plan: 'growth', creditsGranted: 100 })
  account = (await requireAccount(world, created.account_ref)).id
})
afterAll(async () => {
  await pool.end()
  await world.close()
  await database.drop()
})

const chargeOf = (credits: number, requestId: string): SettleItem => ({
  kind: 'charge',
  accountId: account,
  settlementId: newSettlementId(),
  credits,
  charges: [charge('domain.search_row', credits)],
  requestId,
  answer: { status: 200 },
})

/**
 * Creates a settler whose connections break at every attempt, before the statement reaches the server or
 * after its commit.
 */
function cutOff(when: 'before' | 'after'): Settler {
  const query = async (...statement: Parameters<pg.Pool['query']>) => {
    if (when === 'after') await pool.query(...statement)
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  }
  return new Settler({ query } as unknown as pg.Pool)
}

test('a settlement with an unknown outcome is looked up later, without moving credits', async () => {
  const [committed, lost] = [cutOff('after'), cutOff('before')]
  const [stands, absent] = [chargeOf(3, 'request-stands'), chargeOf(4, 'request-absent')]
  const results = await Promise.allSettled([committed.settle(stands), lost.settle(absent)])
  for (const result of results)
    expect(result.status === 'rejected' && result.reason).toBeInstanceOf(OutcomeUnknown)
  expect([committed.unknown.counts.unknown, lost.unknown.counts.unknown]).toEqual([1, 1])

  // This is too early, because the server may still work on the settlement.
  expect(await committed.unknown.followUp(world.database, Date.now())).toEqual([])
  const later = Date.now() + 15_000
  expect(await committed.unknown.followUp(world.database, later)).toMatchObject([
    { settlementId: stands.settlementId, requestId: 'request-stands', credits: 3, stands: true },
  ])
  expect(await lost.unknown.followUp(world.database, later)).toMatchObject([
    { settlementId: absent.settlementId, requestId: 'request-absent', credits: 4, stands: false },
  ])
  expect(await committed.unknown.followUp(world.database, later)).toEqual([])
  expect(committed.unknown.counts).toEqual({ unknown: 1, stands: 1, absent: 0, forgotten: 0 })
  expect(lost.unknown.counts).toEqual({ unknown: 1, stands: 0, absent: 1, forgotten: 0 })
  const balance = await world.database.selectFrom('account_balances').select('used').executeTakeFirstOrThrow()
  expect(balance.used).toBe(3)
})

test('the settler remembers the newest 10,000 unknown settlements while the database is down', async () => {
  const unknown = new UnknownSettlements()
  const item = chargeOf(1, 'request')
  unknown.add(
    Array.from({ length: 10_002 }, () => item),
    0,
  )
  const away = openWorld('public', { connection: { host: '127.0.0.1', port: nobodysPort } })
  await expect(unknown.followUp(away.database, 15_000)).rejects.toThrow('ECONNREFUSED')
  await away.close()
  expect(unknown.counts).toEqual({ unknown: 10_002, stands: 0, absent: 0, forgotten: 2 })
  expect(await unknown.followUp(world.database, 15_000)).toHaveLength(10_000)
  expect(unknown.counts.absent).toBe(10_000)
})

test('after a lost attempt the settler waits for a locked account instead of answering `busy`', async () => {
  let attempts = 0
  const query = (...statement: Parameters<pg.Pool['query']>) => {
    attempts += 1
    // The first attempt waits for the lock in vain. The second would not wait, and its connection breaks.
    if (attempts !== 2) return pool.query(...statement)
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  }
  const settler = new Settler({ query } as unknown as pg.Pool)
  let settling: Promise<{ outcome: string }> | undefined
  await world.database.transaction().execute(async tx => {
    await sql`select from account_balances for update`.execute(tx)
    settling = settler.settle(chargeOf(2, 'request-patient'))
    await eventually('the third attempt waits for the lock', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(world.database)
      return attempts === 3 && rows.length === 1
    })
  })
  expect(await settling).toMatchObject({ outcome: 'settled', moved: 2 })
  expect(settler.unknown.counts.unknown).toBe(0)
})
