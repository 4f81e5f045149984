// Each kind has a query with its fields as columns, and rows in byte order of their natural keys. If two
// streams have the same key, the row of the import wins.

import { notLicensing } from '@baize/registers/entries'
import { type RawBuilder, sql } from 'kysely'
import { importStream, reviewedBrandStream } from '../../journal/events-store.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import { sourceBrands } from '../source-brands-store.ts'

const ownFirst = (stream: string) =>
  sql`${sql.ref(stream)} <> ${importStream}, ${sql.ref(stream)} collate "C"`

// Maps every Company to the first import key of itself or its merge target, or to its ref.
const namedCompanies = sql`
  named_companies as (
    select company.id, coalesce(min(identity.identity_key collate "C"), company.company_ref) as key
      from companies company
      left join company_identities identity
        on identity.company_id = company.id and identity.stream = ${importStream}
     where company.merged_into is null
       and exists (select from company_identities named where named.company_id = company.id)
     group by company.id
  ),
  company_keys as (
    select company.id, named.key
      from companies company
      join named_companies named on named.id = coalesce(company.merged_into, company.id)
  )`

const domains = sql`
  with ${namedCompanies},
  links as (
    select distinct on (link.domain_id, company_keys.key, link.relation)
           link.domain_id, company_keys.key as company, link.relation, link.brand
      from domain_companies link
      join company_keys on company_keys.id = link.company_id
     where link.known_to is null
     order by link.domain_id, company_keys.key, link.relation, ${ownFirst('link.stream')}
  )
  select domain.domain, links.company, links.relation, links.brand, domain.inferred_geo
    from domains domain
    left join links on links.domain_id = domain.id
   order by domain.domain, links.company collate "C", links.relation collate "C"`

/**
 * Domains whose status at the register does not license are left out, because the format has no such
 * status.
 */
const licenses = sql`
  with ${namedCompanies},
  chosen as (
    select distinct on (license.jurisdiction, state.license_number)
           license.id, license.company_id, license.jurisdiction, license.first_seen_at, state.license_number,
           state.license_type, state.status, state.issued_at, state.expires_at, state.source_url,
           state.last_seen_at
      from licenses license
      join license_states state on state.license_id = license.id and state.known_to is null
     where state.license_number is not null
     order by license.jurisdiction, state.license_number, ${ownFirst('license.stream')},
              license.record_key collate "C"
  )
  select chosen.jurisdiction, chosen.license_number, chosen.license_type, chosen.status,
         company_keys.key as company, chosen.issued_at, chosen.expires_at, covered.authorized_domains,
         chosen.source_url, chosen.first_seen_at, chosen.last_seen_at
    from chosen
    left join company_keys on company_keys.id = chosen.company_id
    left join lateral (
      select array_agg(distinct domain.domain order by domain.domain) as authorized_domains
        from authorisations authorisation
        join domains domain on domain.id = authorisation.domain_id
       where authorisation.license_id = chosen.id
         and authorisation.known_to is null
         and authorisation.counts
         and authorisation.stream <> ${reviewedBrandStream}
         and (authorisation.status is null or authorisation.status <> all (${[...notLicensing]}::text[]))
    ) covered on true
   order by chosen.jurisdiction collate "C", chosen.license_number collate "C"`

/** A host counts as listed while the register lists it. */
const blocklistEntries = sql`
  select entry.regulator, entry.listed_as as domain, min(entry.first_seen_at) as first_seen_at,
         case when bool_or(entry.listed) then max(entry.last_seen_at) filter (where entry.listed)
              else max(entry.last_seen_at)
         end as last_seen_at,
         bool_or(entry.listed) as listed
    from blocklist_entries entry
   where entry.known_to is null and entry.scope in ('domain', 'host')
   group by entry.regulator, entry.listed_as
   order by entry.regulator collate "C", entry.listed_as`

/** Each person is one line. A name without a profile means the person of that name who has a profile. */
const contacts = sql`
  with ${namedCompanies},
  chosen as (
    select distinct on (
             company_keys.key, contact.profile_key,
             case when contact.profile_key is null then contact.name_key end
           )
           company_keys.key as company, contact.*
      from contacts contact
      join company_keys on company_keys.id = contact.company_id
     order by company_keys.key, contact.profile_key,
              case when contact.profile_key is null then contact.name_key end,
              coalesce(contact.fetched_at, contact.last_verified_at, contact.collected_at) desc,
              contact.company_key collate "C"
  )
  select company, name, title, headline, email, linkedin_url, country, source, source_url, collected_at,
         last_verified_at, fetched_at
    from chosen
   where profile_key is not null
      or not exists (
        select from chosen namesake
         where (namesake.company, namesake.name_key) = (chosen.company, chosen.name_key)
           and namesake.profile_key is not null
      )
   order by company collate "C", name_key, profile_key`

const unshared = (scheme: string, column: 'lei' | 'registration') => {
  const [own, other] = [sql.ref(`identity.${column}`), sql.ref(`other.${column}`)]
  const [value, register] =
    scheme === 'lei' ? [own, sql`null`] : [sql`split_part(${own}, ':', 2)`, sql`split_part(${own}, ':', 1)`]
  return sql`
          select ${scheme}::text as scheme, ${value} as value, ${register} as register
           where not exists (
             select from company_identities other
              where ${other} = ${own} and other.company_id <> identity.company_id
           )`
}

/**
 * Selects one identifier of each scheme, first those of files. A load would join Companies that share one,
 * so such identifiers are left out, like the numbers of natural persons.
 */
const identifiers = sql`(
  select json_agg(
           json_strip_nulls(json_build_object('scheme', scheme, 'value', value, 'register', register))
           order by scheme
         )
    from (
      select distinct on (stated.scheme) stated.*
        from company_identities identity
       cross join lateral (
         ${unshared('lei', 'lei')}
         union all
         ${unshared('company_number', 'registration')}
       ) stated
       where identity.company_id = company.id
         and stated.value is not null
         and (identity.stream = ${importStream} or identity.subject_kind = 'legal_entity')
       order by stated.scheme, identity.stream = ${importStream} desc, identity.seniority,
                identity.known_from, identity.identity_key collate "C"
    ) chosen
)`

const queries: Record<RecordKind, RawBuilder<unknown>> = {
  company: sql`
    with ${namedCompanies}
    select named.key, company_name, legal_entity, subject_kind, role, country, ${sourceBrands} as brands,
           aliases, apps, ${identifiers} as identifiers, affiliate_program, geo_hints, evidence_routes
      from named_companies named
      join companies company on company.id = named.id
     order by named.key collate "C"`,

  platform: sql`
    select platform_key as key, name, aliases, reviewed_at is not null as reviewed
      from platforms
     order by platform_key collate "C"`,

  domain: domains,
  license: licenses,
  blocklist_entry: blocklistEntries,

  observation: sql`
    select domain.domain, observation.section, observation.value, observation.first_seen_at,
           observation.last_seen_at, observation.last_confirmed_at
      from observations observation
      join domains domain on domain.id = observation.domain_id
     order by domain.domain, observation.section collate "C", observation.value_key collate "C"`,

  platform_reading: sql`
    select domain.domain, platform.platform_key as platform, reading.seen_at
      from platform_readings reading
      join domains domain on domain.id = reading.domain_id
      join platforms platform on platform.id = reading.platform_id
     order by domain.domain, reading.seen_at, platform.platform_key collate "C"`,

  // Dumps the readings in force. Captures are private and are left out.
  site_check: sql`
    select domain.domain, checked.finished_at as checked_at, nullif(checked.state, 'completed') as state,
           checked.reason, found.findings
      from site_checks checked
      join domains domain on domain.id = checked.domain_id
     cross join lateral (
       select coalesce(
                json_agg(
                  json_build_object(
                    'section', section, 'value_key', value_key, 'value', value, 'rule', rule,
                    'strength', strength, 'seen_at', to_json(seen_at at time zone 'UTC') #>> '{}' || 'Z',
                    'snippet', snippet)
                  order by section, value_key),
                '[]') as findings
         from site_findings finding
        where finding.reading_id = checked.reading_id
     ) found
     where checked.reading_id is not null and checked.finished_at is not null
     order by domain.domain, checked.finished_at`,

  firmographics: sql`
    select domain.domain, stored.fetched_at, data.*
      from firmographics stored
      join domains domain on domain.id = stored.domain_id
     cross join lateral jsonb_to_record(stored.data) as data (
       name text, description text, industry text, company_size int[], employee_count int, founded_year int,
       headquarters jsonb, website text, linkedin_url text
     )
     order by domain.domain`,

  contact: contacts,

  // Dumps the stored file name, so that another instance with those files in a folder can load it.
  logo: sql`
    select subject.kind as subject_kind, subject.slug, subject.stated_name as name, domain.domain,
           subject.role, logo.file_name as file, logo.source, logo.variant, logo.theme,
           nullif(logo.status, 'current') as status, logo.first_seen_at, logo.superseded_at
      from logo_subjects subject
      left join domains domain on domain.id = subject.domain_id
      left join logos logo on logo.subject_id = subject.id
     where subject.stated_name is not null
     order by subject.kind collate "C", subject.slug, logo.variant, logo.theme, logo.first_seen_at,
              logo.file_name`,

  account: sql`
    select coalesce(account.import_key, account.account_ref) as key, account.name, account.plan,
           balance.granted as credits_granted
      from accounts account
      join account_balances balance on balance.account_id = account.id
     order by coalesce(account.import_key, account.account_ref) collate "C"`,

  prospect_list: sql`
    select coalesce(list.import_key, list.prospect_list_ref) as key,
           coalesce(account.import_key, account.account_ref) as account, list.cadence, list.status,
           list.requested_at, list.ready_at, list.result
      from prospect_lists list
      join accounts account on account.id = list.account_id
     order by coalesce(account.import_key, account.account_ref) collate "C",
              coalesce(list.import_key, list.prospect_list_ref) collate "C"`,
}

export function dumpQuery(kind: RecordKind): RawBuilder<unknown> {
  return queries[kind]
}

export const leftOutQuery = sql<LeftOut>`
  select (select count(*)
            from licenses license
            join license_states state on state.license_id = license.id and state.known_to is null
           where state.license_number is null) as licenses_without_number,
         (select count(*)
            from (
              select count(*) - 1 as others
                from licenses license
                join license_states state on state.license_id = license.id and state.known_to is null
               where state.license_number is not null
               group by license.jurisdiction, state.license_number
              having count(*) > 1
            ) shared) as license_numbers_of_several_licenses,
         (select count(*) from authorisations where known_to is null and license_id is null)
           as authorisations_without_license,
         (select count(*)
            from blocklist_entries
           where known_to is null and scope not in ('domain', 'host'))
           as blocklist_entries_of_no_site,
         (select count(*) from companies where merged_into is not null) as merged_companies,
         (select count(*) from prospect_lists where account_id is null) as prospect_lists_of_no_account`

export type LeftOut = {
  licenses_without_number: number
  license_numbers_of_several_licenses: number
  authorisations_without_license: number
  blocklist_entries_of_no_site: number
  merged_companies: number
  prospect_lists_of_no_account: number
}
