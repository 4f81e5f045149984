import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openWorld, type World } from '../database/open.ts'
import { createAccount, requireAccount } from '../features/account/index.ts'
import { preparePartitions, purgeOld } from './housekeeping.ts'
import { verifyBalances } from './ledger.ts'
import { newSettlementId } from './settlement-id.ts'

let database: TestDatabase
let world: World

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
})

afterAll(async () => {
  await world.close()
  await database.drop()
})

test('a partition is created once for each month, and earlier charges are moved into it', async () => {
  const { account_ref } = await createAccount(world, { name: 'early', plan: 'free', creditsGranted: 7 })
  const now = new Date()
  const inDefault = () =>
    sql<{ count: number }>`select count(*) as count from ledger_entries_default`
      .execute(world.database)
      .then(({ rows }) => rows[0]?.count)
  expect(await inDefault()).toBe(1)
  expect(await preparePartitions(world.database, now)).toBeGreaterThan(0)
  expect(await preparePartitions(world.database, now)).toBe(0)
  expect(await inDefault()).toBe(0)
  expect((await requireAccount(world, account_ref)).granted).toBe(7)
  expect(await verifyBalances(world.database)).toEqual([])
})

test('the purge deletes only expired settlements and stored answers', async () => {
  const now = new Date()
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  for (const days of [1, 6, 9, 30]) {
    await sql`
      insert into idempotency_records
        (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
      values (1, ${`of ${days}`}, ''::bytea, gen_random_uuid(), 200, '', 0, ${daysAgo(days)})`.execute(
      world.database,
    )
    await sql`
      insert into settlements (settlement_id, account_id, kind, credits, settled_at)
      values (${newSettlementId(daysAgo(days).getTime())}, 1, 'charge', 0, ${daysAgo(days)})`.execute(
      world.database,
    )
  }
  expect(await purgeOld(world.database, now)).toEqual({ answers: 2, settlements: 2 })
  expect(await purgeOld(world.database, now)).toEqual({ answers: 0, settlements: 0 })
})

const overdueRows = 12_345
const statementRows = 5_000

/** Makes stored answers and settlements that are 30 days old, in one statement each. */
async function makeOverdue(): Promise<void> {
  await sql`
    insert into idempotency_records
      (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
    select 1, 'overdue ' || number, '', gen_random_uuid(), 200, '', 0, now() - interval '30 days'
      from generate_series(1, ${overdueRows}::int) as number`.execute(world.database)
  await sql`
    insert into settlements (settlement_id, account_id, kind, credits, settled_at)
    select (left(${newSettlementId(Date.now() - 30 * 86_400_000)}, 24)
             || lpad(to_hex(number), 12, '0'))::uuid,
           1, 'charge', 0, now() - interval '30 days'
      from generate_series(1, ${overdueRows}::int) as number`.execute(world.database)
}

test('purging continues until all expired rows are deleted', async () => {
  await makeOverdue()
  expect(await purgeOld(world.database, new Date())).toEqual({
    answers: overdueRows,
    settlements: overdueRows,
  })
})

test('purging stops at its time limit or signal, and the next round continues', async () => {
  await makeOverdue()
  const oneStatement = { answers: statementRows, settlements: statementRows }
  expect(await purgeOld(world.database, new Date(), { roundMsMax: 0 })).toEqual(oneStatement)
  expect(await purgeOld(world.database, new Date(), { signal: AbortSignal.abort() })).toEqual(oneStatement)
  const rest = overdueRows - 2 * statementRows
  expect(await purgeOld(world.database, new Date())).toEqual({ answers: rest, settlements: rest })
})

test('purging skips rows that are locked', async () => {
  await makeOverdue()
  await world.database.transaction().execute(async tx => {
    await sql`select from idempotency_records where idempotency_key = 'overdue 1' for update`.execute(tx)
    expect(await purgeOld(world.database, new Date())).toEqual({
      answers: overdueRows - 1,
      settlements: overdueRows,
    })
  })
  expect(await purgeOld(world.database, new Date())).toEqual({ answers: 1, settlements: 0 })
})
