import type { PointRead } from '@baize/postgres'
import type { World } from '../../../database/open.ts'
import { licensesOfNumber } from '../../licenses/index.ts'
import { isSharedSite } from '../../shared-site-store.ts'
import type { CompanyProfile } from './company-profile.ts'
import { profileSql } from './profile-text-store.ts'

export type Resolution = {
  key: string
  ids: number[] | null
  first_ref: string | null
  is_merged: boolean
  /** The jurisdictions that share a license number; null for fewer than two. */
  jurisdictions: string[] | null
  /** Whether the domain has so many holders that they are candidates instead of profiles. */
  is_shared: boolean
  profiles: string | null
}

export function resolutionKey(
  output: 'profiles' | 'ids',
  kind: string,
  value: string,
  jurisdiction = '',
): string {
  const identifier = kind === 'license_number' ? `${jurisdiction}:${value}` : value
  return `${output}:${kind}:${identifier}`
}

/** A Company with ten thousand domains must not delay other requests of its batch. */
const variableCost = { secondStatementAfterMs: 20, keysMax: 32 }

/**
 * Resolves identifiers, batched over requests, because sending and planning dominate the cost.
 * - domain: finds the licensee of the verdict, then other licensees, then owners of the brand. More than
 *   three holders in one register get no profiles.
 * - legal_entity: finds Companies whose source filed this legal name for a legal entity.
 * - name: compares names, brands and aliases. Several Companies of one name get no profiles (§4.6).
 * - ids: finds the Companies of a folded name (folded-names-store.ts).
 * The keys pass through a subquery so that one generic plan serves any number.
 */
export const resolutions: PointRead<Resolution> = {
  name: 'company_resolutions',
  text: `
    select lookup.key, to_json(matched.ids) as ids, matched.first_ref, matched.is_merged,
           case when cardinality(matched.jurisdictions) > 1
                then to_json(matched.jurisdictions)
           end as jurisdictions,
           coalesce(shared.is_shared, false) as is_shared, delivered.profiles
      from (
        select key, split_part(key, ':', 1) as output, split_part(key, ':', 2) as kind,
               substr(key, length(split_part(key, ':', 1)) + length(split_part(key, ':', 2)) + 3) as value
          from unnest((select $1::text[])) as key
        offset 0
      ) lookup
     cross join lateral (
       select case when lookup.kind in ('legal_entity', 'name')
                   then fold_names(array[lookup.value])
              end as names
       offset 0
     ) folded
     cross join lateral (
       select array_agg(match.company_id order by match.place, match.ref collate "C")
                filter (where match.company_id is not null) as ids,
              array_agg(match.matched_as order by match.place, match.ref collate "C")
                filter (where match.company_id is not null) as matched_as,
              (
                array_agg(match.ref order by match.place, match.ref collate "C")
                  filter (where match.company_id is not null)
              )[1] as first_ref,
              coalesce(bool_or(match.is_merged), false) as is_merged,
              array_agg(distinct match.jurisdiction collate "C" order by match.jurisdiction collate "C")
                filter (where match.jurisdiction is not null) as jurisdictions
         from (
           select company.id as company_id, company.company_ref as ref, '[]' as matched_as,
                  named.merged_into is not null as is_merged, null as jurisdiction, 1::bigint as place
             from companies named
             join companies company on company.id = coalesce(named.merged_into, named.id)
            where lookup.kind = 'company_ref' and named.company_ref = lookup.value
              -- none: only a discarded snapshot named it
              and exists (select from company_identities where company_id = company.id)
           union all
           select company.id, company.company_ref, '[]', false, null, 1
             from companies company
            where lookup.kind = 'ids' and company.id = any (string_to_array(lookup.value, ',')::bigint[])
           union all
           select company.id, company.company_ref,
                  to_json(array_agg(distinct owner.relation order by owner.relation desc))::text, false, null,
                  case when bool_or(owner.company_id = domain.licensee_company_id) then 1
                       when bool_or(owner.relation = 'licensee') then 2 else 3 end
             from domains domain
            cross join lateral companies_of_domain(domain.id) owner
             join companies named on named.id = owner.company_id
             join companies company on company.id = coalesce(named.merged_into, named.id)
            where lookup.kind = 'domain' and domain.domain = lookup.value
            group by company.id
           union all
           select company.id, company.company_ref, '[]', false, null, 1
             from companies company
            where lookup.kind = 'legal_entity'
              and company.merged_into is null
              and company.id in (
                select identity.company_id
                  from company_identities identity
                 where identity.legal_entity is not null
                   and identity.subject_kind = 'legal_entity'
                   and fold_names(array[identity.legal_entity]) = folded.names
                   and folded.names <> '{}'
              )
           union all
           select company.id, company.company_ref, '[]', false, null, 1
             from companies company
            where lookup.kind = 'name'
              and company.merged_into is null
              and fold_names(
                    array[company.company_name, company.legal_entity] || company.brands || company.aliases
                  ) @> folded.names
              and folded.names <> '{}'
           union all
           select company.id, company.company_ref, '[]', false, license.jurisdiction, min(license.license_id)
             from ${licensesOfNumber(
               "substr(lookup.value, strpos(lookup.value, ':') + 1)",
               "nullif(split_part(lookup.value, ':', 1), '')",
               "lookup.kind = 'license_number'",
             )} license
             left join lateral (
               select coalesce(merged_into, id) as id from companies where id = license.company_id offset 0
             ) named on true
             left join lateral (
               select id, company_ref from companies where id = named.id offset 0
             ) company on true
            group by company.id, company.company_ref, license.jurisdiction
         ) match
       offset 0
     ) matched
     cross join lateral (
       select case when lookup.kind = 'domain' and cardinality(matched.ids) > 1 then (
                select ${isSharedSite('domain.id')} from domains domain where domain.domain = lookup.value
              ) end as is_shared
       offset 0
     ) shared
     cross join lateral (
       select string_agg(profile.text, E'\\n' order by one.place) as profiles
         from unnest(matched.ids, matched.matched_as) with ordinality as one (company_id, matched_as, place)
         join companies company on company.id = one.company_id
         ${profileSql('one.matched_as')}
        where lookup.output = 'profiles'
          and not (lookup.kind in ('legal_entity', 'name', 'ids') and cardinality(matched.ids) > 1)
          and shared.is_shared is not true
          and coalesce(cardinality(matched.jurisdictions), 0) <= 1
     ) delivered`,
  keyOf: row => row.key,
  variableCost,
}

type CandidateRow = Pick<
  CompanyProfile,
  'company_ref' | 'company_name' | 'legal_entity' | 'subject_kind' | 'role' | 'country'
> & { primary_domain: CompanyProfile['domains'][number] | null }

/** Returns Companies of one name, ordered by ref, each with the primary domain that search shows. */
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
