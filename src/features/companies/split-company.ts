import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { changeCompanies, endCompanyChange, refOfIdentities, requireCompany } from './change-companies.ts'
import { lockCompanies, lockDomains } from './change-locks-store.ts'
import { type Identity, readIdentities, type StoredCompany, writeDecision } from './company-store.ts'
import {
  findOrigin,
  insertCompany,
  moveFacts,
  moveIdentities,
  moveImportedRelations,
  movePeople,
  reopenMerged,
  updateLicensees,
} from './split-store.ts'

export type Split = {
  company: string
  /** Those that leave. */
  identities: readonly Identity[]
  reason: string
  now: Date
}

export type SplitReport = {
  company_ref: string
  /** Whose they are now. */
  split_ref: string
  /** Whether that is a Company that had been merged into this one, and answers for itself again. */
  answers_again: boolean
  /** What moved. */
  identities: Identity[]
  licenses: number
}

/**
 * Takes identities out of a Company, with the licenses, authorisations and domains that hang on them: back to the Company
 * that a merge brought them from, under its old ref, or else to a new one. Fails with a StaffError for an unknown or
 * merged Company, for identities that are not its own, and where nothing would be left.
 */
export function splitCompany(
  world: World,
  { company: ref, reason, now, ...split }: Split,
): Promise<SplitReport> {
  return changeCompanies(world, reason, async tx => {
    const company = await requireCompany(tx, ref)
    if (company.merged_into !== null)
      throw new StaffError(`${ref} was merged into ${company.merged_into}; split that one.`)
    const detail: SplitDetail = { ...(await checkedIdentities(tx, company, split.identities)), reason }
    const { identities } = detail

    const domainIds = await lockDomains(tx, [company.id])
    const origin = await findOrigin(tx, company.id, identities)
    const other = origin ?? (await insertCompany(tx, now))
    await lockCompanies(tx, [company.id, other.id])
    const leaving = { from: company.id, into: other.id, identities, now }
    await reopenMerged(tx, leaving)
    await moveIdentities(tx, leaving)
    const { licenses } = await moveFacts(tx, leaving)
    await moveImportedRelations(tx, leaving)
    await movePeople(tx, leaving)
    await updateLicensees(tx, leaving, domainIds)
    await endCompanyChange(tx, [company.id, other.id], domainIds, now)

    const decision = { companyId: company.id, otherCompanyId: other.id, identities, reason, decidedAt: now }
    await writeDecision(tx, { kind: 'split', ...decision })
    await recordEvent(tx, { kind: 'split', at: now, detail })
    return {
      company_ref: ref,
      split_ref: other.company_ref,
      answers_again: origin !== undefined,
      identities,
      licenses,
    }
  })
}

/** What leaves and what stays, in one order and once each; both are something. */
async function checkedIdentities(
  tx: Transaction,
  { id, company_ref: ref }: StoredCompany,
  wanted: readonly Identity[],
): Promise<{ identities: Identity[]; staying: Identity[] }> {
  if (wanted.length === 0) throw new StaffError('Name at least one identity that leaves, as stream:key.')
  const held = await readIdentities(tx, id)
  const asked = new Set(wanted.map(nameOf))
  const identities = held.filter(identity => asked.has(nameOf(identity)))
  const staying = held.filter(identity => !asked.has(nameOf(identity)))
  const known = new Set(identities.map(nameOf))
  const missing = [...asked].filter(name => !known.has(name))
  if (missing.length > 0)
    throw new StaffError(`${missing.join(', ')} is no identity of ${ref}; it has ${shown(held)}.`)
  if (staying.length === 0)
    throw new StaffError(`${ref} has no other identity than ${shown(held)}: nothing would be left of it.`)
  return { identities, staying }
}

const identitiesShownMax = 20

function shown(identities: readonly Identity[]): string {
  const names = identities.slice(0, identitiesShownMax).map(nameOf).join(', ')
  const more = identities.length - identitiesShownMax
  return more > 0 ? `${names} and ${more} more` : names
}

const nameOf = ([stream, key]: Identity) => `${stream}:${key}`

/** What is recorded of a split, by what names the Companies in every database. */
export type SplitDetail = { identities: Identity[]; staying: Identity[]; reason: string }

/** Splits again what a history says was split. */
export async function replaySplit(world: World, detail: SplitDetail, at: Date): Promise<void> {
  const company = await refOfIdentities(world, [...detail.identities, ...detail.staying])
  await splitCompany(world, { company, identities: detail.identities, reason: detail.reason, now: at })
}
