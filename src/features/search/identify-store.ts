import type { World } from '../../database/open.ts'
import { runPlanned } from './match-store.ts'
import { Values } from './values.ts'

export type NamedCompany = {
  id: number
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  brands: string[]
  aliases: string[]
  official_domain: string | null
  /** A name has this spelling, legal form included. */
  is_exact: boolean
}

const columns = `
  company.id, company.company_ref, company.company_name, company.legal_entity,
  company.brands, company.aliases,
  stored.hit -> 'primary_domain' ->> 'domain' as official_domain`

export type NameQueries = { exact: string; nearly: string }

/** Two show that the name is ambiguous. */
const companiesMax = 2

/** SQL for the Companies with such a name, exact spellings first. */
export function companiesNamed({ exact, nearly }: NameQueries, values: Values): string {
  return `
    select ${columns}, stored.document @@ ${values.add(exact, 'tsquery')} as is_exact
      from company_search stored
      join companies company using (id)
     where stored.document @@ ${values.add(`(${exact}) | (${nearly})`, 'tsquery')}
     order by is_exact desc, company.company_ref collate "C"
     limit ${companiesMax}`
}

export async function findCompaniesNamed(world: World, names: NameQueries): Promise<NamedCompany[]> {
  const values = new Values()
  return world.search<NamedCompany>(companiesNamed(names, values), values.list)
}

/** The Company of the verdict first: only it is exact. */
export async function findCompaniesOfDomain(world: World, domain: string): Promise<NamedCompany[]> {
  const values = new Values()
  const statement = `
    select ${columns}, owner.of_verdict as is_exact
      from (
        select coalesce(linked.merged_into, linked.id) as id,
               coalesce(bool_or(linked.id = named.licensee_company_id), false) as of_verdict
          from domains named
         cross join lateral companies_of_domain(named.id) link
          join companies linked on linked.id = link.company_id
         where named.domain = ${values.add(domain, 'text')}
         group by 1
      ) owner
      join company_search stored on stored.id = owner.id
      join companies company on company.id = stored.id
     order by owner.of_verdict desc, company.company_ref collate "C"
     limit ${companiesMax}`
  return runPlanned<NamedCompany>(world, statement, values)
}
