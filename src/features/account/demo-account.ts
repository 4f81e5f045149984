import { Failure } from '../../core/failure.ts'
import type { Caller } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { type AccountRow, findAccount } from './account-store.ts'

/** The account of the demo key, in the demo schema. It is never charged. */
export const demoAccount = { key: 'demo', name: 'Demo', plan: 'growth', credits_granted: 1_000 } as const

const loadingRetryAfterSeconds = 2

const accounts = new WeakMap<World, Promise<AccountRow | undefined>>()

export async function demoCaller(world: World): Promise<Caller> {
  let finding = accounts.get(world)
  if (finding === undefined) {
    finding = findAccount(world.database, demoAccount.key)
    accounts.set(world, finding)
  }
  const account = await finding.catch(error => {
    accounts.delete(world)
    throw error
  })
  if (account === undefined) {
    accounts.delete(world)
    throw new Failure('service_unavailable', {
      message: 'The demo data is still being loaded; try again.',
      retryAfterSeconds: loadingRetryAfterSeconds,
    })
  }
  return { accountId: account.id, accountRef: account.account_ref, plan: account.plan }
}
