import { sql } from 'kysely'
import type { World } from '../../database/open.ts'

export type NamedCompany = {
  id: number
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  brands: string[]
  aliases: string[]
  official_domain: string | null
  /** Called so as it is spelt, legal form included. */
  is_spelt_so: boolean
}

const columns = sql`
  company.id, company.company_ref, company.company_name, company.legal_entity, company.brands, company.aliases,
  held.hit -> 'primary_domain' ->> 'domain' as official_domain`

/** Companies that are called so, those that are spelt so first; `max` of them tell one from several. */
export async function findCompaniesCalled(
  world: World,
  spelt: string,
  nearly: string,
  max: number,
): Promise<NamedCompany[]> {
  const called = sql<NamedCompany>`
    select ${columns}, held.document @@ ${spelt}::tsquery as is_spelt_so
      from company_search held
      join companies company using (id)
     where held.document @@ ${`(${spelt}) | (${nearly})`}::tsquery
     order by is_spelt_so desc, company.company_ref collate "C"
     limit ${max}`.compile(world.searches)
  return world.search<NamedCompany>(called.sql, called.parameters)
}

/** The Companies that a domain belongs to, as licensee or as owner of its brand. */
export async function findCompaniesOfDomain(
  world: World,
  domain: string,
  max: number,
): Promise<NamedCompany[]> {
  const { rows } = await sql<NamedCompany>`
    select distinct on (company.company_ref collate "C") ${columns}, true as is_spelt_so
      from domains named
     cross join lateral companies_of_domain(named.id) owner
      join company_search held on held.id = owner.company_id
      join companies company on company.id = held.id
     where named.domain = ${domain}
     order by company.company_ref collate "C"
     limit ${max}`.execute(world.searches)
  return rows
}
