/** Reads what staff compare of the two Companies of a pair. */
import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import { numbersOf } from './rules-store.ts'

/** Longer lists end here. */
const sideValuesMax = 12
const imprintsMax = 4
const domainsReadMax = 50

export type ComparedSide = {
  company_ref: string
  company_name: string | null
  names: string[]
  numbers: string[]
  countries: string[]
  brands: string[]
  identities: string[]
  groups: string[]
  licenses: string[]
  domains: string[]
  licenses_total: number
  domains_total: number
  /** The company that sites of its domains name: its name, number and address. */
  imprints: string[]
}

export async function readSides(
  database: Database,
  refs: readonly string[],
): Promise<Map<string, ComparedSide>> {
  const own = (value: ReturnType<typeof sql>) => sql`
    array(
      select distinct value collate "C"
        from company_identities identity
       cross join lateral unnest(${value}) value
       where identity.company_id = company.id and value is not null
       order by 1
       limit ${sideValuesMax}
    )`
  const { rows } = await sql<ComparedSide>`
    select company.company_ref, company.company_name,
           ${own(sql`array[identity.company_name, identity.legal_entity] || identity.aliases`)} as names,
           ${own(numbersOf('identity'))} as numbers,
           ${own(sql`array[identity.country]`)} as countries,
           ${own(sql`identity.brands`)} as brands,
           ${own(sql`array[identity.stream || ':' || identity.identity_key]`)} as identities,
           array(select stated ->> 'name' from jsonb_array_elements(company.groups) stated) as groups,
           licensed.licenses[:${sql.lit(sideValuesMax)}] as licenses, licensed.licenses_total,
           sites.domains[:${sql.lit(sideValuesMax)}] as domains, sites.domains_total,
           array(
             select distinct concat_ws(
                      ', ', finding.value ->> 'claimed_name', finding.value ->> 'company_registration_number',
                      finding.value ->> 'registered_address'
                    )
               from unnest(sites.ids[:${sql.lit(domainsReadMax)}]) site (id)
               join site_findings finding on finding.domain_id = site.id and finding.section = 'legal_claims'
               join site_checks checked on checked.reading_id = finding.reading_id
              where finding.value ->> 'claim_type' in ('owner', 'operator', 'licensee')
              order by 1
              limit ${imprintsMax}
           ) as imprints
      from companies company
     cross join lateral (
       select coalesce(
                array_agg(concat_ws(' ', license.jurisdiction, state.license_number, state.status)
                          order by license.jurisdiction, state.license_number),
                '{}'
              ) as licenses,
              count(*) as licenses_total
         from licenses license
         join license_states state on state.license_id = license.id and state.known_to is null
        where license.company_id = company.id
     ) licensed
     cross join lateral (
       select coalesce(array_agg(domain.domain order by domain.domain), '{}') as domains,
              array_agg(domain.id order by domain.domain) as ids, count(*) as domains_total
         from (
           select distinct domain_id
             from domain_companies
            where company_id = company.id and known_to is null
         ) relation
         join domains domain on domain.id = relation.domain_id
     ) sites
     where company.company_ref = any (${[...refs]}::text[])`.execute(database)
  return new Map(rows.map(row => [row.company_ref, row]))
}
