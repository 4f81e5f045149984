import type { World } from '../../../database/open.ts'
import type { CompanyProfile } from './company-profile.ts'

export type CandidateRow = Pick<
  CompanyProfile,
  'company_ref' | 'company_name' | 'legal_entity' | 'subject_kind' | 'role' | 'country'
> & { primary_domain: CompanyProfile['domains'][number] | null }

/** Companies of one name, ordered by ref. The primary domain is the one that search shows. */
export async function readCandidates(
  world: World,
  companyIds: readonly number[],
  candidatesMax: number,
): Promise<CandidateRow[]> {
  return world.read<CandidateRow>({
    name: 'company_candidates',
    text: `
      select company.company_ref, company.company_name, company.legal_entity, company.subject_kind,
             company.role, company.country, search_row.hit -> 'primary_domain' as primary_domain
        from companies company
        left join company_search search_row on search_row.id = company.id
       where company.id = any ($1::bigint[])
       order by company.company_ref collate "C"
       limit $2`,
    values: [companyIds, candidatesMax],
    genericPlan: true,
  })
}
