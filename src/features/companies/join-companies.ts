import type { Transaction } from '../../database/open.ts'
import { eraseSuppressedOf } from '../people/index.ts'
import {
  type Identity,
  lockCompanies,
  lockDomainsOfCompanies,
  readIdentities,
  type StoredCompany,
  writeDecision,
} from './company-store.ts'
import { copyDistinctions, deleteDistinction } from './linking/distinctions-store.ts'
import { markMerged, mergeFacts, mergeIdentities, mergePeople, mergeRelations } from './merge-store.ts'

type Joined = {
  merged: Pick<StoredCompany, 'id'>
  survivor: Pick<StoredCompany, 'id'>
  reason: string
  now: Date
}

/**
 * Moves all of a Company into another, and remembers it as a merge. The caller derives the survivor, and
 * ends the change of the returned domains.
 */
export async function joinCompanies(tx: Transaction, { merged, survivor, reason, now }: Joined) {
  const identities: Identity[] = await readIdentities(tx, merged.id)
  const move = { from: merged.id, into: survivor.id, now }
  const domainIds = await lockDomainsOfCompanies(tx, [merged.id, survivor.id])
  await lockCompanies(tx, [merged.id, survivor.id])
  await mergeIdentities(tx, move)
  const { licenses } = await mergeFacts(tx, move)
  await mergeRelations(tx, move)
  await mergePeople(tx, move)
  await markMerged(tx, move)
  await deleteDistinction(tx, merged.id, survivor.id)
  await copyDistinctions(tx, merged.id, survivor.id)
  await eraseSuppressedOf(tx, survivor.id, now)
  const decision = { companyId: merged.id, otherCompanyId: survivor.id, identities, reason, decidedAt: now }
  await writeDecision(tx, { kind: 'merge', ...decision })
  return { identities, licenses, domainIds }
}
