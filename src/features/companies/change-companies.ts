import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { endFactChange } from '../facts/index.ts'
import { longLockLimits, requireReason, withFactsLock } from '../staff-decision-store.ts'
import { findCompany, findCompanyRefs, type Identity, type StoredCompany } from './company-store.ts'
import { deriveCompanies } from './derive-companies-store.ts'

/** Merging and splitting are done alone among those who write facts, in one transaction, and for a reason. */
export async function changeCompanies<Result>(
  world: World,
  reason: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  requireReason(reason, 'Say why: the reason stands in the history of both Companies.')
  return withFactsLock(world, work, longLockLimits)
}

export async function requireCompany(tx: Transaction, ref: string): Promise<StoredCompany> {
  const company = await findCompany(tx, ref)
  if (company === undefined) throw new StaffError(`There is no Company ${ref}.`)
  return company
}

/** What follows from identities and facts that have moved. */
export async function endCompanyChange(
  tx: Transaction,
  companyIds: readonly number[],
  domainIds: readonly number[],
  now: Date,
): Promise<void> {
  await deriveCompanies(tx, companyIds, now)
  await endFactChange(tx, { domainIds })
}

/** In a replay a Company has another ref, and the same identities. */
export async function refOfIdentities(world: World, identities: readonly Identity[]): Promise<string> {
  const [ref, ...others] = await findCompanyRefs(world.database, identities)
  if (ref === undefined || others.length > 0)
    throw new Error(
      `${others.length + (ref === undefined ? 0 : 1)} Companies have ${JSON.stringify(identities)}`,
    )
  return ref
}
