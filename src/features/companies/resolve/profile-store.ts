import { observationLapseDays } from '../../../core/observation-lapse.ts'
import type { World } from '../../../database/open.ts'
import { domainEntryJson } from '../../domain-entry-store.ts'
import type { CompanyProfile } from './company-profile.ts'

type Entry = CompanyProfile['domains'][number]

/** A Company with all that is told of it; `id` is its own and its Domains', and never sent. */
export type ProfileRow = Omit<
  CompanyProfile,
  'matched_as' | 'domains' | 'data_completeness' | 'last_observed_at' | 'last_updated_at' | 'firmographics'
> & {
  id: number
  domains: (Entry & { id: number })[]
  observed_geo_hints: string[]
  firmographics_available: boolean
  contacts_available: boolean
  last_observed_at: Date | null
  last_updated_at: Date
}

/**
 * The profiles of these Companies in one statement, and so of one moment; of one that was merged meanwhile the Company
 * that answers for it. Values of sites are those that are currently observed (features/domains/observed-store.ts).
 */
const profiles = `
  select company.id, company.company_ref, company.company_name, company.legal_entity, company.subject_kind, company.role,
         company.country, company.brands, company.apps, company.geo_hints, company.evidence_routes,
         company.last_updated_at,
         coalesce(site.domains, '[]') as domains,
         coalesce(site.platform_brands, '{}') as platform_brands,
         site.last_observed_at,
         coalesce(held.licenses, '[]') as licenses,
         coalesce(seen.payment_methods, '{}') as payment_methods,
         array(
           select distinct category collate "C" as category
             from domains domain
            cross join lateral unnest(domain.payment_categories) as category
            where domain.id = any (own.domain_ids)
            order by category
         ) as payment_categories,
         coalesce(seen.supplier_brands, '{}') as supplier_brands,
         company.affiliate_program or coalesce(seen.affiliate_program, false) as affiliate_program,
         coalesce(seen.geo_hints, '{}') as observed_geo_hints,
         exists (select from firmographics held where held.domain_id = any (own.domain_ids)) as firmographics_available,
         exists (
           select from contacts contact
            where contact.company_id = company.id and coalesce(contact.email, contact.linkedin_url) is not null
         ) as contacts_available
    from companies company
   cross join lateral (select array(select distinct domain_id from domains_of_company(company.id)) as domain_ids) own
   cross join lateral (
     select json_agg(json_build_object('id', domain.id, 'domain_ref', domain.domain_ref, 'domain', domain.domain,
                                       'inferred_geo', domain.inferred_geo)
                     order by domain.domain) as domains,
            max(domain.last_observed_at) as last_observed_at,
            array_agg(distinct platform.name collate "C" order by platform.name collate "C")
              filter (where platform.reviewed_at is not null) as platform_brands
       from domains domain
       left join platforms platform on platform.id = domain.platform_id
      where domain.id = any (own.domain_ids)
   ) site
   cross join lateral (
     select array_agg(distinct observation.value ->> 'normalized_name' collate "C"
                      order by observation.value ->> 'normalized_name' collate "C")
              filter (where observation.section = 'payment_methods') as payment_methods,
            array_agg(distinct observation.value ->> 'normalized_provider_name' collate "C"
                      order by observation.value ->> 'normalized_provider_name' collate "C")
              filter (where observation.section = 'supplier_brands') as supplier_brands,
            array_agg(distinct hint collate "C" order by hint collate "C") filter (where hint is not null) as geo_hints,
            bool_or(observation.section = 'affiliate_programs') as affiliate_program
       from domains domain
       join observations observation
         on observation.domain_id = domain.id
        and observation.last_seen_at >= domain.last_observed_at - make_interval(days => ${observationLapseDays})
       left join lateral jsonb_array_elements_text(observation.value -> 'geo_hints') as hint
         on observation.section = 'geo'
      where domain.id = any (own.domain_ids)
   ) seen
   cross join lateral (
     select json_agg(json_build_object('license_ref', license.license_ref, 'jurisdiction', license.jurisdiction,
                                       'license_number', state.license_number, 'status', state.status,
                                       'license_type', state.license_type,
                                       'authorized_domains', coalesce(covered.authorized_domains, '[]'))
                     order by license.jurisdiction collate "C", state.license_number collate "C",
                              license.license_ref collate "C") as licenses
       from licenses license
       join license_states state on state.license_id = license.id and state.known_to is null
      cross join lateral (
        select json_agg(${domainEntryJson} order by domain.domain) as authorized_domains
          from domains domain
         where domain.id in (
           select authorisation.domain_id
             from authorisations authorisation
            where authorisation.license_id = license.id
              and authorisation.known_to is null
              and authorisation.counts
         )
      ) covered
      where license.company_id = company.id
   ) held
   where company.id in (select coalesce(merged_into, id) from companies where id = any ($1::bigint[]))`

export async function readProfiles(world: World, companyIds: readonly number[]): Promise<ProfileRow[]> {
  return world.read<ProfileRow>({
    name: 'company_profiles',
    text: profiles,
    values: [companyIds],
    anyValue: true,
  })
}

export type CandidateRow = Pick<
  CompanyProfile,
  'company_ref' | 'company_name' | 'legal_entity' | 'subject_kind' | 'role' | 'country'
> & { primary_domain: Entry | null }

/** What tells Companies of one name apart, in the order of their refs. Their primary domain is that of search. */
export async function readCandidates(
  world: World,
  companyIds: readonly number[],
  candidatesMax: number,
): Promise<CandidateRow[]> {
  return world.read<CandidateRow>({
    name: 'company_candidates',
    text: `
      select company.company_ref, company.company_name, company.legal_entity, company.subject_kind, company.role,
             company.country, kept.hit -> 'primary_domain' as primary_domain
        from companies company
        left join company_search kept on kept.id = company.id
       where company.id = any ($1::bigint[])
       order by company.company_ref collate "C"
       limit $2`,
    values: [companyIds, candidatesMax],
    anyValue: true,
  })
}
