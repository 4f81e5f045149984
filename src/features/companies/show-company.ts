import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import {
  type Decision,
  findCompany,
  type IdentityDetail,
  readDecisions,
  readIdentityDetails,
  readMergedRefs,
} from './company-store.ts'

export type CompanyHistory = {
  company_ref: string
  /** The one that answers; its identities follow. */
  resolved_company_ref: string
  ref_status: 'active' | 'merged'
  company_name: string | null
  /** Other refs that lead to it. */
  merged_refs: string[]
  /** What each source says of it, the leading one first. */
  identities: IdentityDetail[]
  /** Of the Company that was asked for, oldest first. */
  decisions: Decision[]
}

/** What makes a Company out of what sources say, and what was decided of it. */
export async function showCompany(world: World, ref: string): Promise<CompanyHistory> {
  const asked = await findCompany(world.database, ref)
  if (asked === undefined) throw new StaffError(`There is no Company ${ref}.`)
  const answering = asked.merged_into === null ? asked : await findCompany(world.database, asked.merged_into)
  if (answering === undefined) throw new Error(`${ref} was merged into a Company that is not there`)
  return {
    company_ref: ref,
    resolved_company_ref: answering.company_ref,
    ref_status: asked === answering ? 'active' : 'merged',
    company_name: answering.company_name,
    merged_refs: await readMergedRefs(world.database, answering.id),
    identities: await readIdentityDetails(world.database, answering.id),
    decisions: await readDecisions(world.database, asked.id),
  }
}
