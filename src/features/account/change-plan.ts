import type { PlanName } from '../../core/operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import type { Actor } from '../audit/index.ts'
import { requireReason } from '../staff-decision-store.ts'
import { type AccountRow, lockPlan, type PlanChange, readPlanChanges } from './account-store.ts'
import { requireAccount } from './manage-accounts.ts'
import { writePlan } from './recorded-changes.ts'

/** Changes the plan of an account. Running services apply it when their cached keys expire, within 3 s. */
export async function changePlan(
  world: World,
  accountRef: string,
  { plan, reason, now, by }: { plan: PlanName; reason: string; now: Date; by?: Actor },
): Promise<AccountRow> {
  requireReason(reason, 'Give a reason; it is stored with the change.')
  const account = await requireAccount(world, accountRef)
  await world.database.transaction().execute(async tx => {
    const before = await lockPlan(tx, account.id)
    if (before === plan) throw new StaffError(`${accountRef} already has the plan ${plan}.`)
    if (before === 'internal' || plan === 'internal')
      throw new StaffError('A plan cannot change to or from internal, which alone has no quota.')
    await writePlan(tx, account, { name: account.name, before, after: plan, reason, now }, by)
  })
  return requireAccount(world, accountRef)
}

/** Returns the account's plan changes, the latest first. */
export async function listPlanChanges(world: World, accountRef: string): Promise<PlanChange[]> {
  return readPlanChanges(world.database, (await requireAccount(world, accountRef)).id)
}
