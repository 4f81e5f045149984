import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { addPlatformSignals } from '../signals/index.ts'
import { changeCompanies, endCompanyChange, refOfIdentities, requireCompany } from './change-companies.ts'
import { lockCompanies, lockDomains } from './change-locks-store.ts'
import { type Identity, readIdentities, writeDecision } from './company-store.ts'
import { markMerged, mergeFacts, mergeIdentities, mergePeople, mergeRelations } from './merge-store.ts'

export type Merge = {
  /** The ref that from now on leads to the other. */
  from: string
  into: string
  reason: string
  now: Date
}

export type MergeReport = {
  company_ref: string
  merged_ref: string
  /** What moved. */
  identities: Identity[]
  licenses: number
}

/**
 * Makes one Company of two: everything of `from` becomes `into`'s, whose name stands, and the ref of `from` keeps
 * answering with it. Sources go on naming both, so no later sync or import parts them; `splitCompany` does. Fails with
 * a StaffError for an unknown ref, for one Company twice, and for one that was merged already.
 */
export function mergeCompanies(world: World, { from, into, reason, now }: Merge): Promise<MergeReport> {
  return changeCompanies(world, reason, async tx => {
    if (from === into) throw new StaffError('A Company cannot be merged into itself.')
    const [leaving, staying] = [await requireCompany(tx, from), await requireCompany(tx, into)]
    if (leaving.merged_into !== null)
      throw new StaffError(`${from} was merged already, into ${leaving.merged_into}.`)
    if (staying.merged_into !== null)
      throw new StaffError(`${into} was merged into ${staying.merged_into}; merge into that one.`)

    const detail: MergeDetail = {
      from: await readIdentities(tx, leaving.id),
      into: await readIdentities(tx, staying.id),
      reason,
    }
    const move = { from: leaving.id, into: staying.id, now }
    const domainIds = await lockDomains(tx, [leaving.id, staying.id])
    await lockCompanies(tx, [leaving.id, staying.id])
    await mergeIdentities(tx, move)
    const { licenses } = await mergeFacts(tx, move)
    await mergeRelations(tx, move)
    await mergePeople(tx, move)
    await markMerged(tx, move)
    await endCompanyChange(tx, [staying.id], domainIds, now)

    const identities = detail.from
    const decision = { companyId: leaving.id, otherCompanyId: staying.id, identities, reason, decidedAt: now }
    await writeDecision(tx, { kind: 'merge', ...decision })
    await recordEvent(tx, { kind: 'merge', at: now, detail })
    // One of the two may have been no operator, and be one now. Signals are numbered last.
    await addPlatformSignals(tx, { domainIds, now })
    return { company_ref: into, merged_ref: from, identities, licenses }
  })
}

/** What is recorded of a merge: both Companies by what names them in every database. */
export type MergeDetail = { from: Identity[]; into: Identity[]; reason: string }

/** Merges again what a history says was merged. */
export async function replayMerge(world: World, detail: MergeDetail, at: Date): Promise<void> {
  const [from, into] = [await refOfIdentities(world, detail.from), await refOfIdentities(world, detail.into)]
  await mergeCompanies(world, { from, into, reason: detail.reason, now: at })
}
