import type { PointRead } from '@baize/postgres'
import { sql } from 'kysely'
import type { PlanName } from '../../core/operation.ts'
import { newRef } from '../../core/ref.ts'
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

/** Finds an account by its ref, or by its key in an interchange file. */
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

/** Returns the accounts after `afterId`, the oldest first. */
export async function readAccounts(database: Database, afterId: number, limit: number) {
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
}

export type NewAccount = { name: string; plan: PlanName; creditsGranted: number | null; importKey?: string }

export async function insertAccount(tx: Transaction, account: NewAccount) {
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

export async function updateAccount(tx: Transaction, id: number, account: { name: string; plan: PlanName }) {
  await tx
    .updateTable('accounts')
    .set({ name: account.name, plan: account.plan })
    .where('id', '=', id)
    .execute()
}

export type PlanChange = { plan_before: string; plan_after: string; reason: string; changed_at: Date }

/** Locks the account, so that simultaneous changes are recorded in order. */
export async function lockPlan(tx: Transaction, accountId: number): Promise<PlanName> {
  const { plan } = await tx
    .selectFrom('accounts')
    .select('plan')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return plan as PlanName
}

type NewPlanChange = { accountId: number; before: PlanName; after: PlanName; reason: string; changedAt: Date }

export async function insertPlanChange(tx: Transaction, change: NewPlanChange): Promise<void> {
  await tx
    .insertInto('plan_changes')
    .values({
      account_id: change.accountId,
      plan_before: change.before,
      plan_after: change.after,
      reason: change.reason,
      changed_at: change.changedAt,
    })
    .execute()
}

const changesShownMax = 100

/** Returns the account's plan changes, the latest first. */
export function readPlanChanges(database: Database, accountId: number): Promise<PlanChange[]> {
  return database
    .selectFrom('plan_changes')
    .select(['plan_before', 'plan_after', 'reason', 'changed_at'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(changesShownMax)
    .execute()
}
