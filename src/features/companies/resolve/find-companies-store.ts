import type { World } from '../../../database/open.ts'

/** A Company that an input leads to; of a merged one the Company that answers for it. */
export type FoundCompany = {
  company_id: number
  /** How a domain led there, as `matched_as` tells it; empty for the other inputs. */
  matched_as: string[]
}

export async function findCompanyByRef(
  world: World,
  ref: string,
): Promise<(FoundCompany & { is_merged: boolean }) | undefined> {
  const [found] = await world.read<{ company_id: number; is_merged: boolean }>({
    name: 'find_company_by_ref',
    text: `
      select coalesce(merged_into, id) as company_id, merged_into is not null as is_merged
        from companies
       where company_ref = $1`,
    values: [ref],
    anyValue: true,
  })
  return found === undefined ? undefined : { ...found, matched_as: [] }
}

/**
 * The licensees of the domain, that of its verdict first, then who else owns its brand. Whoever holds a listing of the
 * domain in a register is a licensee of it; an interchange file also tells it without any.
 */
export async function findCompaniesByDomain(world: World, domain: string): Promise<FoundCompany[]> {
  return world.read<FoundCompany>({
    name: 'find_companies_by_domain',
    text: `
      with related as (
        select domain.licensee_company_id, owner.company_id, owner.relation
          from domains domain
         cross join lateral companies_of_domain(domain.id) owner
         where domain.domain = $1
      )
      select company.id as company_id, array_agg(distinct related.relation order by related.relation desc) as matched_as
        from related
        join companies named on named.id = related.company_id
        join companies company on company.id = coalesce(named.merged_into, named.id)
       group by company.id
       order by bool_or(related.company_id = related.licensee_company_id) is true desc,
                bool_or(related.relation = 'licensee') desc,
                company.company_ref collate "C"`,
    values: [domain],
    anyValue: true,
  })
}

/** Companies of which a source filed this legal name (§4.6). */
export async function findCompaniesByLegalEntity(world: World, name: string): Promise<FoundCompany[]> {
  return world.read<FoundCompany>({
    name: 'find_companies_by_legal_entity',
    text: `
      select company.id as company_id, '{}'::text[] as matched_as
        from companies company
       where company.merged_into is null
         and company.id in (
           select identity.company_id
             from company_identities identity
            where identity.legal_entity is not null
              and fold_names(array[identity.legal_entity]) = fold_names(array[$1::text])
              and fold_names(array[$1::text]) <> '{}'
         )
       order by company.company_ref collate "C"`,
    values: [name],
    anyValue: true,
  })
}

/** Companies that are published under this name or brand (§4.6). */
export async function findCompaniesByName(world: World, name: string): Promise<FoundCompany[]> {
  return world.read<FoundCompany>({
    name: 'find_companies_by_name',
    text: `
      select id as company_id, '{}'::text[] as matched_as
        from companies
       where merged_into is null
         and fold_names(array[company_name, legal_entity] || brands || aliases) @> fold_names(array[$1::text])
         and fold_names(array[$1::text]) <> '{}'
       order by company_ref collate "C"`,
    values: [name],
    anyValue: true,
  })
}
