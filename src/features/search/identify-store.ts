import { CompiledQuery } from 'kysely'
import type { World } from '../../database/open.ts'
import { Values } from './statement.ts'

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

const columns = `
  company.id, company.company_ref, company.company_name, company.legal_entity, company.brands, company.aliases,
  held.hit -> 'primary_domain' ->> 'domain' as official_domain`

/** What whole names are asked for, as tsqueries. */
export type NamesAsked = { spelt: string; nearly: string }

/** Two tell one from several. */
const companiesMax = 2

/** Companies that are called so, those that are spelt so first: as a statement, and as a value of another one. */
export function companiesCalled({ spelt, nearly }: NamesAsked, values: Values): string {
  return `
    select ${columns}, held.document @@ ${values.add(spelt, 'tsquery')} as is_spelt_so
      from company_search held
      join companies company using (id)
     where held.document @@ ${values.add(`(${spelt}) | (${nearly})`, 'tsquery')}
     order by is_spelt_so desc, company.company_ref collate "C"
     limit ${companiesMax}`
}

export async function findCompaniesCalled(world: World, asked: NamesAsked): Promise<NamedCompany[]> {
  const values = new Values()
  return world.search<NamedCompany>(companiesCalled(asked, values), values.held)
}

/** The Companies that a domain belongs to, as licensee or as owner of its brand. */
export async function findCompaniesOfDomain(world: World, domain: string): Promise<NamedCompany[]> {
  const values = new Values()
  const statement = `
    select distinct on (company.company_ref collate "C") ${columns}, true as is_spelt_so
      from domains named
     cross join lateral companies_of_domain(named.id) owner
      join company_search held on held.id = owner.company_id
      join companies company on company.id = held.id
     where named.domain = ${values.add(domain, 'text')}
     order by company.company_ref collate "C"
     limit ${companiesMax}`
  return (await world.searches.executeQuery<NamedCompany>(CompiledQuery.raw(statement, values.held))).rows
}
