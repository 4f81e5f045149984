import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { changeCompanies, endCompanyChange, refOfIdentities, requireCompany } from './change-companies.ts'
import {
  type Identity,
  lockCompanies,
  lockDomainsOfCompanies,
  readIdentities,
  type StoredCompany,
  writeDecision,
} from './company-store.ts'
import { copyDistinctions, writeDistinction } from './linking/distinctions-store.ts'
import { endLinks } from './linking/links-store.ts'
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
  identities: readonly Identity[]
  reason: string
  now: Date
  by?: Actor
}

export type SplitReport = {
  company_ref: string
  split_ref: string
  answers_again: boolean
  identities: Identity[]
  licenses: number
}

/**
 * Moves identities, with their licenses, authorisations and domains, out of a Company. They return to the
 * Company that a merge took them from, under its old ref, or else move to a new one. Fails with a
 * StaffError for unknown, merged or foreign identities.
 */
export function splitCompany(
  world: World,
  { company: ref, reason, now, by, ...split }: Split,
): Promise<SplitReport> {
  return changeCompanies(world, reason, async tx => {
    const company = await requireCompany(tx, ref)
    if (company.merged_into !== null)
      throw new StaffError(`${ref} was merged into ${company.merged_into}. Split that Company.`)
    const detail: SplitDetail = { ...(await checkedIdentities(tx, company, split.identities)), reason }
    const { identities } = detail

    const domainIds = await lockDomainsOfCompanies(tx, [company.id])
    const origin = await findOrigin(tx, company.id, identities)
    const other = origin ?? (await insertCompany(tx, now))
    await lockCompanies(tx, [company.id, other.id])
    const move = { from: company.id, into: other.id, identities, now }
    await reopenMerged(tx, move)
    await moveIdentities(tx, move)
    const { licenses } = await moveFacts(tx, move)
    await moveImportedRelations(tx, move)
    await movePeople(tx, move)
    await updateLicensees(tx, move, domainIds)
    await copyDistinctions(tx, company.id, other.id)
    await writeDistinction(tx, { one: company.id, other: other.id, reason, now })
    await endLinks(tx, [company.id, other.id])
    await endCompanyChange(tx, [company.id, other.id], domainIds, now)

    const decision = { companyId: company.id, otherCompanyId: other.id, identities, reason, decidedAt: now }
    await writeDecision(tx, { kind: 'split', ...decision })
    await recordEvent(tx, { kind: 'split', at: now, detail })
    const event = { action: 'company.split', subject: ref, accountId: null, now }
    const details = { into: other.company_ref, identities: identities.map(identityName), reason }
    await recordAuditEvent(tx, by, { ...event, details })
    return {
      company_ref: ref,
      split_ref: other.company_ref,
      answers_again: origin !== undefined,
      identities,
      licenses,
    }
  })
}

async function checkedIdentities(
  tx: Transaction,
  { id, company_ref: ref }: StoredCompany,
  wanted: readonly Identity[],
): Promise<{ identities: Identity[]; staying: Identity[] }> {
  if (wanted.length === 0) throw new StaffError('Name at least one identity to split off, as stream:key.')
  const stored = await readIdentities(tx, id)
  const wantedNames = new Set(wanted.map(identityName))
  const identities = stored.filter(identity => wantedNames.has(identityName(identity)))
  const staying = stored.filter(identity => !wantedNames.has(identityName(identity)))
  const owned = new Set(identities.map(identityName))
  const missing = [...wantedNames].filter(name => !owned.has(name))
  if (missing.length > 0)
    throw new StaffError(`${ref} does not own ${missing.join(', ')}. It owns ${identityList(stored)}.`)
  if (staying.length === 0)
    throw new StaffError(`${ref} owns only ${identityList(stored)}. At least one identity must stay.`)
  return { identities, staying }
}

const identitiesShownMax = 20

function identityList(identities: readonly Identity[]): string {
  const names = identities.slice(0, identitiesShownMax).map(identityName).join(', ')
  const more = identities.length - identitiesShownMax
  return more > 0 ? `${names} and ${more} more` : names
}

const identityName = ([stream, key]: Identity) => `${stream}:${key}`

export type SplitDetail = { identities: Identity[]; staying: Identity[]; reason: string }

export async function replaySplit(world: World, detail: SplitDetail, at: Date): Promise<void> {
  const company = await refOfIdentities(world, [...detail.identities, ...detail.staying])
  await splitCompany(world, { company, identities: detail.identities, reason: detail.reason, now: at })
}
