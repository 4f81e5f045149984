import { sql } from 'kysely'
import type { PlanName } from '../../core/operation.ts'
import { newRef } from '../../core/ref.ts'
import type { PointRead } from '../../database/batch-reader.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { openBalance } from '../../metering/ledger.ts'

export type AccountRow = {
  id: number
  account_ref: string
  name: string
  plan: PlanName
  granted: number | null
  used: number
  reserved: number
}

const accountColumns = sql`
  account.id, account.account_ref, account.name, account.plan,
  balance.granted, balance.used, balance.reserved`

/** Finds an account by ref, or by the key of an interchange file. */
export async function findAccount(database: Database, refOrKey: string): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns}
      from accounts account
      join account_balances balance on balance.account_id = account.id
     where account.account_ref = ${refOrKey} or account.import_key = ${refOrKey}
     order by account.account_ref = ${refOrKey} desc
     limit 1`.execute(database)
  return rows[0]
}

/** By creation, oldest first. */
export async function readAccounts(
  database: Database,
  afterId: number,
  limit: number,
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns}
      from accounts account
      join account_balances balance on balance.account_id = account.id
     where account.id > ${afterId}
     order by account.id
     limit ${limit}`.execute(database)
  return rows
}

export const accountFigures: PointRead<AccountRow> = {
  name: 'account_figures',
  text: `
    select account.id, account.account_ref, account.name, account.plan,
           balance.granted, balance.used, balance.reserved
      from accounts account
     cross join lateral (select * from account_balances where account_id = account.id offset 0) balance
     where account.id = any ($1::bigint[])`,
  keyOf: row => String(row.id),
  from: 'primary',
}

export type NewAccount = { name: string; plan: PlanName; creditsGranted: number | null; importKey?: string }

export async function insertAccount(
  tx: Transaction,
  account: NewAccount,
): Promise<{ id: number; account_ref: string }> {
  const row = await tx
    .insertInto('accounts')
    .values({
      account_ref: newRef('acc'),
      import_key: account.importKey ?? null,
      name: account.name,
      plan: account.plan,
    })
    .returning(['id', 'account_ref'])
    .executeTakeFirstOrThrow()
  await openBalance(tx, row.id, account.creditsGranted, 'account opened')
  return row
}

export async function updateAccount(
  tx: Transaction,
  id: number,
  account: { name: string; plan: PlanName },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ name: account.name, plan: account.plan })
    .where('id', '=', id)
    .execute()
}

export async function anyAccountExists(database: Database): Promise<boolean> {
  const row = await database.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}
