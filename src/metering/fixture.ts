import { openPool } from '@baize/postgres'
import { sql } from 'kysely'
import type pg from 'pg'
import { expect } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openWorld, type World } from '../database/open.ts'
import { createAccount, requireAccount } from '../features/account/index.ts'
import { verifyBalances, verifySettlements } from './ledger.ts'
import { charge } from './pricing.ts'
import { Settler } from './settle.ts'
import type { SettleItem } from './settle-statement.ts'
import { newSettlementId } from './settlement-id.ts'

export type Books = {
  testDatabase: TestDatabase
  world: World
  pool: pg.Pool
  settler: Settler
  close(): Promise<void>
}

/** Opens a test database and a settler for it. */
export async function openBooks(): Promise<Books> {
  const testDatabase = await createTestDatabase()
  const world = openWorld('public', { connection: testDatabase.connection })
  const pool = openPool(testDatabase.connection, 'public', { connectionsMax: 4 })
  async function close() {
    await pool.end()
    await world.close()
    await testDatabase.drop()
  }
  return { testDatabase, world, pool, settler: new Settler(pool), close }
}

export async function accountWith(world: World, credits: number): Promise<number> {
  const created = await createAccount(world, { name: 'test', plan: 'growth', creditsGranted: credits })
  return (await requireAccount(world, created.account_ref)).id
}

export function chargeItem(accountId: number, credits: number, more: Partial<SettleItem> = {}): SettleItem {
  const charges = credits === 0 ? [] : [charge('domain.search_row', credits)]
  return {
    kind: 'charge',
    accountId,
    settlementId: newSettlementId(),
    credits,
    charges,
    answer: { status: 200 },
    ...more,
  }
}

export function keyed(
  accountId: number,
  credits: number,
  key: string,
  { print = 'same', body = `answer to ${key}` } = {},
): SettleItem {
  return chargeItem(accountId, credits, {
    answer: { status: 200, idempotency: { key, fingerprint: Buffer.from(print), body } },
  })
}

export function figures(
  world: World,
  accountId: number,
): Promise<{ granted: number | null; used: number; reserved: number }> {
  return world.database
    .selectFrom('account_balances')
    .select(['granted', 'used', 'reserved'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

export async function expectTrueBooks(world: World): Promise<void> {
  expect(await verifyBalances(world.database)).toEqual([])
  expect(await verifySettlements(world.database)).toEqual([])
}

let lastExport = 0

export function asksForExport(accountId: number, credits: number, key?: string): SettleItem {
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

export async function exportsOf(world: World, accountId: number): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select * from exports where account_id = ${accountId} order by id`.execute(world.database)
  return rows
}
