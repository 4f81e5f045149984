import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { endFactChange } from '../facts/index.ts'
import { longLockLimits, requireReason, withFactsLock } from '../staff-decision-store.ts'
import { findCompany, findCompanyRefs, type Identity, type StoredCompany } from './company-store.ts'
import { deriveCompanies } from './derive-companies-store.ts'

/** Changes Companies in one transaction, while no other writer changes facts. It requires a reason. */
export async function changeCompanies<Result>(
  world: World,
  reason: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  requireReason(reason, 'Give a reason. It is stored in the history of both Companies.')
  return withFactsLock(world, work, longLockLimits)
}

export async function requireCompany(tx: Transaction, ref: string): Promise<StoredCompany> {
  const company = await findCompany(tx, ref)
  if (company === undefined) throw new StaffError(`Company ${ref} does not exist.`)
  return company
}

/** Finds a Company that was not merged. */
export async function requireActive(tx: Transaction, ref: string): Promise<StoredCompany> {
  const company = await requireCompany(tx, ref)
  if (company.merged_into !== null)
    throw new StaffError(`${ref} was merged into ${company.merged_into}. Name that one.`)
  return company
}

export async function endCompanyChange(
  tx: Transaction,
  companyIds: readonly number[],
  domainIds: readonly number[],
  now: Date,
): Promise<void> {
  await deriveCompanies(tx, companyIds, now)
  await endFactChange(tx, { domainIds, cause: { cause: 'staff', occurredAt: now, now } })
}

/** Finds the Company of these identities. A replay uses them, because refs differ between databases. */
export async function refOfIdentities(world: World, identities: readonly Identity[]): Promise<string> {
  const [ref, ...others] = await findCompanyRefs(world.database, identities)
  if (ref === undefined || others.length > 0)
    throw new Error(`none or several Companies own ${JSON.stringify(identities)}; expected one`)
  return ref
}
