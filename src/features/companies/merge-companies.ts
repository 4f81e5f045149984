import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { addPlatformSignals } from '../signals/index.ts'
import { changeCompanies, endCompanyChange, refOfIdentities, requireCompany } from './change-companies.ts'
import { type Identity, readIdentities } from './company-store.ts'
import { joinCompanies } from './join-companies.ts'

export type Merge = {
  from: string
  into: string
  reason: string
  now: Date
  by?: Actor
}

export type MergeReport = {
  company_ref: string
  merged_ref: string
  identities: Identity[]
  licenses: number
}

/**
 * Merges `from` into `into`, which keeps its name and answers for both refs. Only `splitCompany` undoes a
 * merge. Fails with a StaffError for an unknown or merged Company, or the same Company twice.
 */
export function mergeCompanies(world: World, { from, into, reason, now, by }: Merge): Promise<MergeReport> {
  return changeCompanies(world, reason, async tx => {
    if (from === into) throw new StaffError('A Company cannot be merged into itself.')
    const [merged, survivor] = [await requireCompany(tx, from), await requireCompany(tx, into)]
    if (merged.merged_into !== null)
      throw new StaffError(`${from} has already been merged into ${merged.merged_into}.`)
    if (survivor.merged_into !== null)
      throw new StaffError(`${into} was merged into ${survivor.merged_into}. Merge into that Company.`)

    const survivors = await readIdentities(tx, survivor.id)
    const { identities, licenses, domainIds } = await joinCompanies(tx, { merged, survivor, reason, now })
    await endCompanyChange(tx, [survivor.id], domainIds, now)

    const detail: MergeDetail = { from: identities, into: survivors, reason }
    await recordEvent(tx, { kind: 'merge', at: now, detail })
    const event = { action: 'company.merged', subject: from, accountId: null, now }
    await recordAuditEvent(tx, by, { ...event, details: { into, reason } })
    // The merge may have made a Company an operator, which adds Signals. They are numbered last.
    await addPlatformSignals(tx, { domainIds, now })
    return { company_ref: into, merged_ref: from, identities, licenses }
  })
}

export type MergeDetail = { from: Identity[]; into: Identity[]; reason: string }

export async function replayMerge(world: World, detail: MergeDetail, at: Date): Promise<void> {
  const [from, into] = [await refOfIdentities(world, detail.from), await refOfIdentities(world, detail.into)]
  await mergeCompanies(world, { from, into, reason: detail.reason, now: at })
}
