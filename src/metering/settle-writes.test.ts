import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { World } from '../database/open.ts'
import { accountWith, asksForExport, type Books, expectTrueBooks, exportsOf, openBooks } from './fixture.ts'
import type { Settler } from './settle.ts'
import type { SettleItem } from './settle-statement.ts'

// A request writes its rows with its charge: both, or nothing.

let world: World
let settler: Settler
let close: Books['close']

beforeAll(async () => {
  ;({ world, settler, close } = await openBooks())
})
afterEach(() => expectTrueBooks(world))
afterAll(() => close())

function plainCharge(accountId: number, credits: number): SettleItem {
  const { writes: _, ...item } = asksForExport(accountId, credits)
  return item
}

test('a settled export request is stored with its parameters, in the state queued', async () => {
  const account = await accountWith(world, 10)
  const item = asksForExport(account, 0)
  expect((await settler.settle(item)).outcome).toBe('settled')
  expect(await exportsOf(world, account)).toEqual([
    expect.objectContaining({
      ...item.writes?.data,
      account_id: account,
      state: 'queued',
      request_id: 'request-1',
      attempt_id: null,
    }),
  ])
})

test('a refused export request writes no row, and other items of its batch are written', async () => {
  const [poor, rich] = [await accountWith(world, 1), await accountWith(world, 100)]
  const outcomes = await Promise.all([
    settler.settle(asksForExport(poor, 5)),
    settler.settle(asksForExport(rich, 5)),
    settler.settle(plainCharge(rich, 1)),
  ])
  expect(outcomes.map(each => each.outcome)).toEqual(['quota_exceeded', 'settled', 'settled'])
  expect([await exportsOf(world, poor), await exportsOf(world, rich)].map(rows => rows.length)).toEqual([
    0, 1,
  ])
})

test('of simultaneous export requests with one key exactly one is written', async () => {
  const account = await accountWith(world, 100)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => settler.settle(asksForExport(account, 0, 'one'))),
  )
  expect(outcomes.filter(each => each.outcome === 'settled')).toHaveLength(1)
  expect(outcomes.filter(each => each.outcome === 'replayed')).toHaveLength(19)
  expect(await exportsOf(world, account)).toHaveLength(1)
})

test('an export can be requested while the tables of the queue are only half created', async () => {
  const account = await accountWith(world, 10)
  await sql`create schema graphile_worker`.execute(world.database)
  await sql`create table graphile_worker.jobs (id int)`.execute(world.database)
  try {
    expect((await settler.settle(asksForExport(account, 1))).outcome).toBe('settled')
    expect(await exportsOf(world, account)).toHaveLength(1)
  } finally {
    await sql`drop schema graphile_worker cascade`.execute(world.database)
  }
})

test('nothing is charged if the queue refuses the job of an export', async () => {
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
    expect(await exportsOf(world, account)).toEqual([])
  } finally {
    await sql`drop schema graphile_worker cascade`.execute(world.database)
  }
})

test('an export request whose row cannot be written is not charged', async () => {
  const account = await accountWith(world, 10)
  const item = asksForExport(account, 2)
  await settler.settle(item)
  const twin = { ...asksForExport(account, 2), writes: item.writes } as SettleItem
  await expect(settler.settle(twin)).rejects.toThrow('duplicate key')
  expect(await exportsOf(world, account)).toHaveLength(1)
})
