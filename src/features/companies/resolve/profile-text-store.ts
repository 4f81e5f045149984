import { domainEntryText, observationLapseDays, siteObservedAt } from '../../domain-entry-store.ts'
import { instantOrNull, textOrNull } from '../../json-text-store.ts'
import { coveredDomainsText } from '../../licenses/index.ts'
import { type CompletenessFacts, completenessMax, completenessWeights } from '../../search/index.ts'

const sorted = (texts: string) =>
  `array(select distinct listed collate "C" from unnest(${texts}) as listed order by 1)`

const hintsOf = (lists: string) => `case when ${lists} is not null then array(
                select hint
                  from unnest(${lists}) as list
                 cross join lateral jsonb_array_elements_text(list) as hint
              ) end`

const knownConditions: Record<keyof CompletenessFacts, string> = {
  companyName: `company.company_name <> ''`,
  legalEntity: `company.legal_entity <> ''`,
  country: `company.country <> ''`,
  roles: `array_remove(company.role, 'unknown') <> '{}'`,
  brands: `company.brands <> '{}'`,
  domains: 'site.domains is not null',
  licenses: 'detail.licenses is not null',
  paymentMethods: `seen.methods <> '{}'`,
  supplierBrands: `seen.suppliers <> '{}'`,
  platforms: `detail.platforms <> '{}'`,
  geoHints: `detail.places <> '{}'`,
  observed: 'site.last_observed_at is not null',
  firmographicsAvailable: 'detail.firmographics_available',
  contactsAvailable: 'detail.contacts_available',
}

const completenessText = `trim_scale((${Object.entries(knownConditions)
  .map(
    ([field, condition]) =>
      `case when ${condition} then ${completenessWeights[field as keyof CompletenessFacts]} else 0 end`,
  )
  .join(' + ')})::numeric / ${completenessMax})`

/** A license counts as a fact of its register, even if a file imported it. */
const evidenceRoutes = `case
                  when detail.licenses is not null and 'register' <> all (company.evidence_routes)
                  then array_append(company.evidence_routes, 'register')
                  else company.evidence_routes
                end`

/**
 * Writes the profile of a row `company` as JSON text, with the members of the schema in their order.
 * `offset 0` prevents a second domain lookup. All columns of domains come from one scan, because setting up
 * a plan node costs more than reading a Company.
 */
export const profileSql = (matchedAs: string) => `
     cross join lateral (
       select array(select domain_id from domains_of_company(company.id)) as domain_ids
       offset 0
     ) own
     cross join lateral (
       select string_agg(${domainEntryText}, ',' order by domain.domain) as domains,
              array_agg(domain.id) as domain_ids,
              array_agg(domain.last_observed_at) as observed_at,
              array_agg(domain.platform_id) filter (where domain.platform_id is not null) as platform_ids,
              array_agg(domain.inferred_geo) filter (where domain.inferred_geo is not null) as inferred_geos,
              -- values of a fixed set, none of which contains a comma
              string_to_array(
                string_agg(array_to_string(domain.payment_categories, ','), ',')
                  filter (where domain.payment_categories <> '{}'),
                ','
              ) as categories,
              max(${siteObservedAt}) as last_observed_at
         from domains domain
        where domain.id = any (own.domain_ids)
       offset 0
     ) site
     cross join lateral (
       select coalesce(array_agg(distinct seen.method collate "C" order by seen.method collate "C")
                filter (where seen.method is not null), '{}') as methods,
              coalesce(array_agg(distinct seen.supplier collate "C" order by seen.supplier collate "C")
                filter (where seen.supplier is not null), '{}') as suppliers,
              array_agg(seen.hints) filter (where seen.hints is not null) as hints,
              coalesce(bool_or(seen.section = 'affiliate_programs'), false) as affiliate_program
         from (
           select observation.section,
                  case observation.section
                    when 'payment_methods' then observation.value ->> 'normalized_name'
                  end as method,
                  case observation.section
                    when 'supplier_brands' then observation.value ->> 'normalized_provider_name'
                  end as supplier,
                  case observation.section when 'geo' then observation.value -> 'geo_hints' end as hints
             from unnest(site.domain_ids, site.observed_at) as of_company (domain_id, observed_at)
             join observations observation on observation.domain_id = of_company.domain_id
            where observation.last_seen_at
                  >= of_company.observed_at - make_interval(days => ${observationLapseDays})
           offset 0
         ) seen
       offset 0
     ) seen
     cross join lateral (
       select ${sorted('site.categories')} as categories,
              case when site.platform_ids is null then '{}' else array(
                select distinct platform.name collate "C" as name
                  from platforms platform
                 where platform.id = any (site.platform_ids) and platform.reviewed_at is not null
                 order by name
              ) end as platforms,
              ${sorted(`company.geo_hints || site.inferred_geos || ${hintsOf('seen.hints')}`)} as places,
              (
                select string_agg(
                         concat('{"license_ref":', to_json(license.license_ref),
                                ',"jurisdiction":', to_json(license.jurisdiction),
                                ',"license_number":', ${textOrNull('state.license_number')},
                                ',"status":', ${textOrNull('state.status')},
                                ',"license_type":', ${textOrNull('state.license_type')},
                                ',"authorized_domains":', ${coveredDomainsText}, '}'),
                         ',' order by license.jurisdiction collate "C", state.license_number collate "C",
                                      license.license_ref collate "C")
                  from licenses license
                  join license_states state on state.license_id = license.id and state.known_to is null
                 where license.company_id = company.id
              ) as licenses,
              case when company.apps = '[]' then '' else (
                select string_agg(
                         concat('{"store":', app -> 'store', ',"app_id":', app -> 'app_id',
                                ',"url":', app -> 'url', '}'),
                         ',' order by place)
                  from jsonb_array_elements(company.apps) with ordinality as listed (app, place)
              ) end as apps,
              case when company.groups = '[]' then '' else (
                select string_agg(
                         concat('{"name":', stated -> 'name', ',"source_url":', stated -> 'source_url',
                                ',"stated_at":', stated -> 'stated_at', '}'),
                         ',' order by place)
                  from jsonb_array_elements(company.groups) with ordinality as listed (stated, place)
              ) end as groups,
              exists (
                select from firmographics stored where stored.domain_id = any (own.domain_ids)
              ) as firmographics_available,
              exists (
                select from contacts contact
                 where contact.company_id = company.id
                   and coalesce(contact.email, contact.linkedin_url) is not null
              ) as contacts_available
       offset 0
     ) detail
     cross join lateral (
       select concat(
                '{"company_ref":', to_json(company.company_ref),
                ',"company_name":', ${textOrNull('company.company_name')},
                ',"legal_entity":', ${textOrNull('company.legal_entity')},
                ',"subject_kind":', to_json(company.subject_kind),
                ',"role":', to_json(company.role),
                ',"country":', ${textOrNull('company.country')},
                ',"matched_as":', ${matchedAs},
                ',"brands":', to_json(company.brands),
                ',"domains":[', site.domains,
                '],"licenses":[', detail.licenses,
                '],"apps":[', detail.apps,
                '],"payment_methods":', to_json(seen.methods),
                ',"payment_categories":', to_json(detail.categories),
                ',"supplier_brands":', to_json(seen.suppliers),
                ',"platform_brands":', to_json(detail.platforms),
                ',"groups":[', detail.groups,
                '],"affiliate_program":', to_json(company.affiliate_program or seen.affiliate_program),
                ',"geo_hints":', to_json(detail.places),
                ',"evidence_routes":', to_json(${evidenceRoutes}),
                ',"data_completeness":', ${completenessText},
                ',"last_observed_at":', ${instantOrNull('site.last_observed_at')},
                ',"last_updated_at":', ${instantOrNull('company.last_updated_at')}, '}') as text
     ) profile`
