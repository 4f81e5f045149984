import type { PlanName } from '../../core/operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { requireReason } from '../staff-decision-store.ts'
import { type AccountRow, updateAccount } from './account-store.ts'
import { requireAccount } from './manage-accounts.ts'
import { insertPlanChange, lockPlan } from './plan-change-store.ts'

/** Running services follow within the lifetime of their cached keys, 3 seconds. */
export async function changePlan(
  world: World,
  accountRef: string,
  { plan, reason, now }: { plan: PlanName; reason: string; now: Date },
): Promise<AccountRow> {
  requireReason(reason, 'Give a reason; it is stored with the change.')
  const { id, name } = await requireAccount(world, accountRef)
  await world.database.transaction().execute(async tx => {
    const before = await lockPlan(tx, id)
    if (before === plan) throw new StaffError(`${accountRef} already has the plan ${plan}.`)
    if (before === 'internal' || plan === 'internal')
      throw new StaffError('A plan cannot change to or from internal, which alone has no quota.')
    await updateAccount(tx, id, { name, plan })
    await insertPlanChange(tx, { accountId: id, before, after: plan, reason, changedAt: now })
  })
  return requireAccount(world, accountRef)
}
