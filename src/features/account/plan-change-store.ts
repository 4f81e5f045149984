import type { PlanName } from '../../core/operation.ts'
import type { Database, Transaction } from '../../database/open.ts'

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

/** Latest first. */
export function readPlanChanges(database: Database, accountId: number): Promise<PlanChange[]> {
  return database
    .selectFrom('plan_changes')
    .select(['plan_before', 'plan_after', 'reason', 'changed_at'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(changesShownMax)
    .execute()
}
