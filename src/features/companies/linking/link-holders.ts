import { type Evidence, type JoinedParties, joinParties, pairKey } from '@baize/names'
import type { Transaction } from '../../../database/open.ts'
import { findHolders, readDistinctPairs, readHolders, readKeys } from './holders-store.ts'
import { linkingRules } from './rules-store.ts'

/**
 * Finds which seekers (holders-store.ts) are the party of another holder. It writes nothing, because a
 * register's new accounts have no Company yet.
 */
export async function findParties(
  tx: Transaction,
  evidences: readonly Evidence[] = linkingRules.map(rule => rule.evidence),
): Promise<JoinedParties> {
  await findHolders(tx)
  const keys = await readKeys(
    tx,
    linkingRules.filter(rule => evidences.includes(rule.evidence)),
  )
  const holders = await readHolders(tx, keys)
  const ids = holders.map(({ companyId }) => companyId).filter(id => id !== null)
  const distinct = await readDistinctPairs(tx, ids)
  return joinParties(holders, keys, new Set(distinct.map(([one, other]) => pairKey(one, other))))
}
