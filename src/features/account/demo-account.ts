import { Failure } from '../../core/failure.ts'
import type { Caller } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { type AccountRow, findAccount } from './account-store.ts'

/** The account that the demo key shows, in the demo's own schema. Nothing is ever charged to it. */
export const demoAccount = { key: 'demo', name: 'Demo', plan: 'growth', credits_granted: 1_000 } as const

const loadingRetryAfterSeconds = 2

const known = new WeakMap<World, Promise<AccountRow | undefined>>()

/** Who asks with the demo key. */
export async function demoCaller(world: World): Promise<Caller> {
  let finding = known.get(world)
  if (finding === undefined) {
    finding = findAccount(world.database, demoAccount.key)
    known.set(world, finding)
  }
  const account = await finding.catch(error => {
    known.delete(world)
    throw error
  })
  if (account === undefined) {
    known.delete(world)
    throw new Failure('service_unavailable', {
      message: 'The demo world is still being loaded.',
      retryAfterSeconds: loadingRetryAfterSeconds,
    })
  }
  return { accountId: account.id, accountRef: account.account_ref, plan: account.plan }
}
