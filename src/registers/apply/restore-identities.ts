import type { Transaction } from '../../database/open.ts'
import { createStaging, stageLicensees } from '../snapshot/staging-store.ts'
import { stageIdentities, updateIdentities } from './companies-store.ts'
import { dropStaged, forgetIdentities, readRemainingStates } from './remaining-states-store.ts'
import type { AppliedFacts } from './reverse-facts-store.ts'

/**
 * Identities of touched licensees take the values that their remaining states gave them, in order: a country
 * or number that is no longer published remains. Returns the Companies of the identities that changed.
 */
export async function restoreIdentities(tx: Transaction, facts: AppliedFacts): Promise<number[]> {
  await createStaging(tx)
  await forgetIdentities(tx, facts)
  const companyIds: number[] = []
  for await (const states of readRemainingStates(tx, facts)) {
    await stageLicensees(tx, states)
    await stageIdentities(tx, facts)
    companyIds.push(...(await updateIdentities(tx, facts)))
    await dropStaged(tx)
  }
  return companyIds
}
