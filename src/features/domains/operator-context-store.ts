import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { licenses } from './verdict-store.ts'

/** The regulatory context of a launch profile (§2.10): one license of one operator Company. */
export type OperatorContext = {
  market: string
  license_ref: string
  license_number: string
  company_ref: string
  legal_name: string
}

type ContextRow = OperatorContext & { domain_id: number }

/**
 * The operator Companies of each domain that have a numbered license in force which authorises it, each with
 * its earliest issued license. Exactly one makes the domain eligible for a launch profile.
 */
export async function readOperatorContexts(
  database: Database,
  domainIds: readonly number[],
): Promise<Map<number, OperatorContext[]>> {
  const { rows } = await sql<ContextRow>`
    select distinct on (authorisation.domain_id, company.id)
           authorisation.domain_id, authorisation.market, license.license_ref, state.license_number,
           company.company_ref, coalesce(company.legal_entity, company.company_name) as legal_name
      from authorisations authorisation
      join licenses license on license.id = authorisation.license_id
      join license_states state on state.license_id = license.id and state.known_to is null
      join companies named on named.id = coalesce(authorisation.company_id, license.company_id)
      join companies company on company.id = coalesce(named.merged_into, named.id)
     where authorisation.domain_id = any (${[...domainIds]}::bigint[])
       and ${licenses}
       and state.license_number is not null
       and 'operator' = any (company.role)
       and coalesce(company.legal_entity, company.company_name) is not null
     order by authorisation.domain_id, company.id, state.issued_at nulls last,
              license.license_ref collate "C"`.execute(database)
  const contexts = Map.groupBy(rows, row => row.domain_id)
  return new Map(
    [...contexts].map(([id, ofDomain]) => [id, ofDomain.map(({ domain_id: _, ...context }) => context)]),
  )
}

/** Whether the domain has exactly one operator context. */
export async function isEligible(database: Database, domainId: number): Promise<boolean> {
  return (await readOperatorContexts(database, [domainId])).get(domainId)?.length === 1
}
