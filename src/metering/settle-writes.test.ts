import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../test/harness/database.ts'
import type { World } from '../database/open.ts'
import { openPool } from '../database/pool.ts'
import { accountWith, type Books, expectTrueBooks, openBooks } from './fixture.ts'
import { charge } from './pricing.ts'
import type { Settler } from './settle.ts'
import type { SettleItem } from './settle-statement.ts'
import { newSettlementId } from './settlement-id.ts'

// What a request writes with its charge: both, or nothing.

let testDatabase: TestDatabase
let world: World
let settler: Settler
let close: Books['close']

beforeAll(async () => {
  ;({ testDatabase, world, settler, close } = await openBooks())
})
afterEach(() => expectTrueBooks(world))
afterAll(() => close())

let lastExport = 0

function asksForExport(accountId: number, credits: number, key?: string): SettleItem {
  lastExport += 1
  const idempotency =
    key === undefined ? {} : { idempotency: { key, fingerprint: Buffer.from(key), body: key } }
  return {
    kind: 'charge',
    accountId,
    settlementId: newSettlementId(),
    credits,
    charges: credits === 0 ? [] : [charge('export.row', credits)],
    requestId: 'request-1',
    answer: { status: 202, ...idempotency },
    writes: {
      writer: 'export',
      data: {
        id: lastExport,
        format: 'json',
        filters: { supplier_brand: `O'Brien "\\ {x}` },
        fields: ['licenses', 'a,"b'],
        quoted_rows: 3,
        quoted_credits: 18,
        requested_at: new Date('2026-11-01T12:00:00Z'),
      },
      job: {
        task: 'write_export',
        key: `export ${lastExport}`,
        payload: { export: lastExport },
        attempts_max: 8,
      },
    },
  }
}

function plainCharge(accountId: number, credits: number): SettleItem {
  const { writes: _, ...item } = asksForExport(accountId, credits)
  return item
}

async function exportsOf(accountId: number): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select * from exports where account_id = ${accountId} order by id`.execute(world.database)
  return rows
}

test('an export is stored as it was requested', async () => {
  const account = await accountWith(world, 10)
  const item = asksForExport(account, 0)
  expect((await settler.settle(item)).outcome).toBe('settled')
  expect(await exportsOf(account)).toEqual([
    expect.objectContaining({
      ...item.writes?.data,
      account_id: account,
      state: 'queued',
      request_id: 'request-1',
      attempt_id: null,
    }),
  ])
})

test('a refused item writes nothing, and the others of its batch are written', async () => {
  const [poor, rich] = [await accountWith(world, 1), await accountWith(world, 100)]
  const outcomes = await Promise.all([
    settler.settle(asksForExport(poor, 5)),
    settler.settle(asksForExport(rich, 5)),
    settler.settle(plainCharge(rich, 1)),
  ])
  expect(outcomes.map(each => each.outcome)).toEqual(['quota_exceeded', 'settled', 'settled'])
  expect([await exportsOf(poor), await exportsOf(rich)].map(rows => rows.length)).toEqual([0, 1])
})

test('of simultaneous items with one key exactly one is written', async () => {
  const account = await accountWith(world, 100)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => settler.settle(asksForExport(account, 0, 'one'))),
  )
  expect(outcomes.filter(each => each.outcome === 'settled')).toHaveLength(1)
  expect(outcomes.filter(each => each.outcome === 'replayed')).toHaveLength(19)
  expect(await exportsOf(account)).toHaveLength(1)
})

test('an export can be requested while the queue is only half created', async () => {
  const account = await accountWith(world, 10)
  await sql`create schema graphile_worker`.execute(world.database)
  await sql`create table graphile_worker.jobs (id int)`.execute(world.database)
  try {
    expect((await settler.settle(asksForExport(account, 1))).outcome).toBe('settled')
    expect(await exportsOf(account)).toHaveLength(1)
  } finally {
    await sql`drop schema graphile_worker cascade`.execute(world.database)
  }
})

test('if the queue refuses the job, nothing is charged', async () => {
  const account = await accountWith(world, 10)
  await sql`create schema graphile_worker`.execute(world.database)
  await sql`create table graphile_worker.jobs (id int)`.execute(world.database)
  await sql`
    create function graphile_worker.add_job(identifier text, payload json, max_attempts int, job_key text)
      returns void
      language plpgsql
      as 'begin raise insufficient_privilege using message = ''permission denied''; end'`.execute(
    world.database,
  )
  try {
    await expect(settler.settle(asksForExport(account, 1))).rejects.toThrow('permission denied')
    expect(await exportsOf(account)).toEqual([])
  } finally {
    await sql`drop schema graphile_worker cascade`.execute(world.database)
  }
})

test('an item that cannot be written is not charged', async () => {
  const account = await accountWith(world, 10)
  const item = asksForExport(account, 2)
  await settler.settle(item)
  const twin = { ...asksForExport(account, 2), writes: item.writes } as SettleItem
  await expect(settler.settle(twin)).rejects.toThrow('duplicate key')
  expect(await exportsOf(account)).toHaveLength(1)
})

test('a connection killed at any moment loses no export and writes none twice', async () => {
  const account = await accountWith(world, 100_000)
  const admin = openPool(testDatabase.connection, 'public', { connectionsMax: 1 })
  const items = Array.from({ length: 200 }, (_, index) => asksForExport(account, 1, `kill-${index}`))
  let settledYet = false
  const all = Promise.allSettled(items.map(item => settler.settle(item))).then(() => {
    settledYet = true
  })
  while (!settledYet) {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%from settle_v4(%'`,
    )
  }
  await all
  const again = await Promise.all(
    items.map((_, index) => settler.settle(asksForExport(account, 1, `kill-${index}`))),
  )
  expect(again.every(each => each.outcome === 'replayed' || each.outcome === 'settled')).toBe(true)
  expect(await exportsOf(account)).toHaveLength(200)
  const { rows } = await sql`select used from account_balances where account_id = ${account}`.execute(
    world.database,
  )
  expect(rows).toEqual([{ used: 200 }])
  await admin.end()
})
