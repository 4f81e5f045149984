import { openPool } from '@baize/postgres'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountWith,
  asksForExport,
  type Books,
  expectTrueBooks,
  exportsOf,
  figures,
  keyed,
  openBooks,
} from './fixture.ts'
import type { SettleItem } from './settle-statement.ts'

let books: Books

beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

/** Kills each connection that settles, until every item has an outcome. */
async function settleWhileKilling(items: SettleItem[]) {
  const admin = openPool(books.testDatabase.connection, 'public', { connectionsMax: 1 })
  let haveEnded = false
  const all = Promise.allSettled(items.map(item => books.settler.settle(item))).finally(() => {
    haveEnded = true
  })
  while (!haveEnded) {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%from settle(%'`,
    )
  }
  await admin.end()
  return all
}

test('every charge is made exactly once, even if connections are killed at any moment', async () => {
  const { world, settler } = books
  const account = await accountWith(world, 100_000)
  const items = () => Array.from({ length: 300 }, (_, index) => keyed(account, 1, `kill-${index}`))
  const results = await settleWhileKilling(items())
  const answered = results.filter(each => each.status === 'fulfilled').length
  // A caller whose attempts ran out does not know the outcome. The same keys settle each item once.
  const again = await Promise.all(items().map(item => settler.settle(item)))
  const replayed = again.filter(each => each.outcome === 'replayed').length
  expect(replayed).toBeGreaterThanOrEqual(answered)
  expect((await figures(world, account)).used).toBe(300)
  await expectTrueBooks(world)
})

test('every export is written exactly once, even if connections are killed at any moment', async () => {
  const { world, settler } = books
  const account = await accountWith(world, 100_000)
  const items = () => Array.from({ length: 200 }, (_, index) => asksForExport(account, 1, `kill-${index}`))
  await settleWhileKilling(items())
  const again = await Promise.all(items().map(item => settler.settle(item)))
  expect(again.every(each => each.outcome === 'replayed' || each.outcome === 'settled')).toBe(true)
  expect(await exportsOf(world, account)).toHaveLength(200)
  const { rows } = await sql`select used from account_balances where account_id = ${account}`.execute(
    world.database,
  )
  expect(rows).toEqual([{ used: 200 }])
  await expectTrueBooks(world)
})
