import { truncateKey } from '@baize/names'
import type { World } from '../../database/open.ts'
import { MatchValues, runPlanned } from './match-store.ts'
import { joinedSign } from './rows/document.ts'
import { eitherOf } from './text/text-query.ts'

export type NamedCompany = {
  id: number
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  brands: string[]
  aliases: string[]
  official_domain: string | null
  /** Is true if a name has exactly this spelling, including its legal form. */
  is_exact: boolean
}

const columns = `
  company.id, company.company_ref, company.company_name, company.legal_entity,
  company.brands, company.aliases,
  stored.hit -> 'primary_domain' ->> 'domain' as official_domain`

export type NameQueries = { exact: string; nearly: string }

/** The most Companies to read, because two show that a name is ambiguous. */
const companiesMax = 2

/** Selects the Companies with a name, exact spellings first. */
export function companiesNamed({ exact, nearly }: NameQueries, values: MatchValues): string {
  return `
    select ${columns}, stored.document @@ ${values.add(exact, 'tsquery')} as is_exact
      from company_search stored
      join companies company using (id)
     where stored.document @@ ${values.add(`(${exact}) | (${nearly})`, 'tsquery')}
     order by is_exact desc, company.company_ref collate "C"
     limit ${companiesMax}`
}

export async function findCompaniesNamed(world: World, names: NameQueries): Promise<NamedCompany[]> {
  const values = new MatchValues()
  return world.search<NamedCompany>(companiesNamed(names, values), values.list)
}

export type CompanyWithNames = { id: number; names: [string | null, string | null, string[], string[]] }

/** Finds Companies that have one of these names without blanks and legal form, by ref. */
export async function findCompaniesOfStem(
  world: World,
  stems: readonly string[],
  rowsMax: number,
): Promise<CompanyWithNames[]> {
  const values = new MatchValues()
  const wanted = eitherOf(stems.map(stem => joinedSign + truncateKey(stem)))
  return world.search<CompanyWithNames>(
    `
    select id, names::json as names
      from company_search
     where document @@ ${values.add(wanted, 'tsquery')}
     order by ref
     limit ${values.add(rowsMax, 'integer')}`,
    values.list,
  )
}

/** Finds the Companies of a domain. Only the Company of the verdict is exact, and it comes first. */
export async function findCompaniesOfDomain(world: World, domain: string): Promise<NamedCompany[]> {
  const values = new MatchValues()
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
