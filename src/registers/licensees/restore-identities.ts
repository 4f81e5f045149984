import type { Transaction } from '../../database/open.ts'
import type { AppliedFacts } from '../apply/reverse-facts-store.ts'
import { createStaging, stageRows } from '../snapshot/staging-store.ts'
import { stageIdentities, updateIdentities } from './companies-store.ts'
import { dropStaged, forgetIdentities, readRemainingStates } from './remaining-states-store.ts'

/**
 * Restores identities of touched licensees from their remaining states, in order. A country or number that
 * is no longer published remains. Returns the Companies whose identities may have changed.
 */
export async function restoreIdentities(tx: Transaction, facts: AppliedFacts): Promise<number[]> {
  await createStaging(tx)
  const companyIds = await forgetIdentities(tx, facts)
  for await (const states of readRemainingStates(tx, facts)) {
    await stageRows(tx, 'licensee', states)
    await stageIdentities(tx, facts)
    companyIds.push(...(await updateIdentities(tx, facts)))
    await dropStaged(tx)
  }
  return companyIds
}
