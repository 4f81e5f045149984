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
import { type GroupMember, readMembers } from './groups/groups-store.ts'
import { type LinkDetail, readLinks } from './linking/links-store.ts'

export type CompanyHistory = {
  company_ref: string
  resolved_company_ref: string
  ref_status: 'active' | 'merged'
  company_name: string | null
  merged_refs: string[]
  identities: IdentityDetail[]
  groups: Pick<GroupMember, 'name' | 'source_url' | 'why' | 'stated_by' | 'stated_at'>[]
  /** Why identities were linked without a decision of staff. */
  links: LinkDetail[]
  decisions: Decision[]
}

export async function showCompany(world: World, ref: string): Promise<CompanyHistory> {
  const requested = await findCompany(world.database, ref)
  if (requested === undefined) throw new StaffError(`Company ${ref} does not exist.`)
  const surviving =
    requested.merged_into === null ? requested : await findCompany(world.database, requested.merged_into)
  if (surviving === undefined) throw new Error(`${ref} was merged into a Company that does not exist`)
  return {
    company_ref: ref,
    resolved_company_ref: surviving.company_ref,
    ref_status: requested === surviving ? 'active' : 'merged',
    company_name: surviving.company_name,
    merged_refs: await readMergedRefs(world.database, surviving.id),
    identities: await readIdentityDetails(world.database, surviving.id),
    groups: (await readMembers(world.database)).flatMap(({ company_ref, company_name: _, ...group }) =>
      company_ref === surviving.company_ref ? [group] : [],
    ),
    links: await readLinks(world.database, surviving.id),
    decisions: await readDecisions(world.database, requested.id),
  }
}
