import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import { observationLapseDays, siteObservedAt } from '../../domain-entry-store.ts'

export type ShownDomain = { domain_ref: string; domain: string; inferred_geo: string | null }

/** The facts of a Company; its lists are distinct and sorted. */
export type CompanyFacts = {
  id: number
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  subject_kind: string
  role: string[]
  country: string | null
  brands: string[]
  aliases: string[]
  affiliate_program: boolean
  geo_hints: string[]
  groups: { name: string }[]
  last_observed_at: Date | null
  last_updated_at: Date
  domain_count: number
  /** The first `domainsPerDocumentMax` domains: licensed ones first, then by age of the relation. */
  domains: ShownDomain[]
  inferred_geos: string[]
  observed_geos: string[]
  payment_categories: string[]
  payment_methods: string[]
  supplier_brands: string[]
  affiliate_observed: boolean
  platforms: string[]
  platform_count: number
  license_count: number
  license_jurisdictions: string[]
  license_statuses: string[]
  /** The markets whose registers list domains for the Company, with or without a license. */
  markets: string[]
  firmographics_available: boolean
  contacts_available: boolean
}

/** The most domains whose words are searched. The filter by domain finds all domains. */
const domainsPerDocumentMax = 200

const ownDomains = (companyId: RawBuilder<unknown>) => sql`(
  select domain_id, bool_or(relation = 'licensee') as licensed, min(known_from) as known_from
    from domains_of_company(${companyId})
   group by domain_id
)`

const firstOf = (own: RawBuilder<unknown>) => sql`(
  select domain.domain_ref, domain.domain, domain.inferred_geo,
         row_number() over (order by own.licensed desc, own.known_from, domain.domain) as position
    from ${own} own (domain_id, licensed, known_from)
    join domains domain on domain.id = own.domain_id
   order by own.licensed desc, own.known_from, domain.domain
   limit ${sql.lit(domainsPerDocumentMax)}
)`

const distinctTexts = (value: RawBuilder<unknown>, filter: RawBuilder<unknown> = sql`true`) => sql`
  coalesce(array_agg(distinct ${value} collate "C") filter (where ${value} is not null and ${filter}), '{}')`

/** Reads the facts of Companies in linear time, because the caller forces lookups by index. */
export async function readCompanyFacts(database: Database, ids: readonly number[]): Promise<CompanyFacts[]> {
  const { rows } = await sql<CompanyFacts>`
    select company.id, company.company_ref, company.company_name, company.legal_entity, company.subject_kind,
           company.role, company.country, company.brands, company.aliases, company.affiliate_program,
           company.geo_hints, company.groups, company.last_updated_at,
           site.last_observed_at,
           coalesce(cardinality(site.ids), 0) as domain_count,
           case when site.ids is null then '[]' else shown.domains end as domains,
           site.inferred_geos, rails.payment_categories, geo.observed_geos,
           observed.payment_methods, observed.supplier_brands,
           coalesce(observed.affiliate_observed, false) as affiliate_observed,
           running.platforms, running.platform_count,
           license.license_count, license.license_jurisdictions, license.license_statuses, listed.markets,
           exists (
             select from firmographics result where result.domain_id = any (site.ids)
           ) as firmographics_available,
           exists (
             select from contacts contact
              where contact.company_id = company.id
                and coalesce(contact.email, contact.linkedin_url) is not null
           ) as contacts_available
      from unnest(${[...ids]}::bigint[]) as wanted (id)
      join companies company on company.id = wanted.id and company.merged_into is null
       -- none: only a discarded snapshot named it
       and exists (select from company_identities where company_id = company.id)
     ${ownSites}
     cross join lateral (
       select coalesce(
                json_agg(
                  json_build_object('domain_ref', named.domain_ref, 'domain', named.domain,
                                    'inferred_geo', named.inferred_geo)
                  order by named.position),
                '[]') as domains
         from ${firstOf(sql`unnest(site.ids, site.licensed, site.known_from)`)} named
     ) shown
     ${seenOfSites}
     ${ownLicenses}
     cross join lateral (
       select ${distinctTexts(sql`authorisation.market`)} as markets
         from authorisations authorisation
        where authorisation.company_id = company.id and authorisation.known_to is null
     ) listed
     order by company.id`.execute(database)
  return rows
}

const ownSites = sql`
     cross join lateral (
       select array_agg(own.domain_id) as ids,
              array_agg(own.licensed) as licensed,
              array_agg(own.known_from) as known_from,
              array_agg(distinct domain.platform_id) as platform_ids,
              max(${sql.raw(siteObservedAt)}) as last_observed_at,
              ${distinctTexts(sql`domain.inferred_geo`)} as inferred_geos
         from ${ownDomains(sql`company.id`)} own
         join domains domain on domain.id = own.domain_id
     ) site`

const ownLicenses = sql`
     cross join lateral (
       select count(*) as license_count,
              ${distinctTexts(sql`owned.jurisdiction`)} as license_jurisdictions,
              ${distinctTexts(sql`state.status`)} as license_statuses
         from licenses owned
        cross join lateral (
          -- unique already: "limit 1" makes the planner start from the license
          select open.status
            from license_states open
           where open.license_id = owned.id and open.known_to is null
           limit 1
        ) state
        where owned.company_id = company.id
     ) license`

/** Selects since when an observation counts as current, as `deriveObserved` of the domains does. */
const currentSince = sql`domain.last_observed_at - make_interval(days => ${sql.lit(observationLapseDays)})`

const observedNames = (member: string, section: string) =>
  distinctTexts(sql`value ->> ${sql.lit(member)}`, sql`section = ${sql.lit(section)}`)

const seenOfSites = sql`
     cross join lateral (
       select ${distinctTexts(sql`category`)} as payment_categories
         from unnest(site.ids) as of_company (id)
         join domains domain on domain.id = of_company.id
        cross join unnest(domain.payment_categories) as category
     ) rails
     cross join lateral (
       select ${observedNames('normalized_name', 'payment_methods')} as payment_methods,
              ${observedNames('normalized_provider_name', 'supplier_brands')} as supplier_brands,
              bool_or(section = 'affiliate_programs') as affiliate_observed
         from unnest(site.ids) as of_company (id)
         join domains domain on domain.id = of_company.id
         join observations observation
           on observation.domain_id = domain.id
          and observation.section in ('payment_methods', 'supplier_brands', 'affiliate_programs')
        where observation.last_seen_at >= ${currentSince}
     ) observed
     cross join lateral (
       select ${distinctTexts(sql`hint`)} as observed_geos
         from unnest(site.ids) as of_company (id)
         join domains domain on domain.id = of_company.id
         join observations observation on observation.domain_id = domain.id and observation.section = 'geo'
        cross join jsonb_array_elements_text(
          case jsonb_typeof(observation.value -> 'geo_hints')
            when 'array' then observation.value -> 'geo_hints' else '[]'
          end
        ) as hint
        where observation.last_seen_at >= ${currentSince}
     ) geo
     cross join lateral (
       select count(distinct platform.id) as platform_count,
              ${distinctTexts(sql`called`)} as platforms
         from unnest(site.platform_ids) as running (id)
         join platforms platform on platform.id = running.id and platform.reviewed_at is not null
        cross join unnest(array[platform.platform_key, platform.name] || platform.aliases) as called
     ) running`
