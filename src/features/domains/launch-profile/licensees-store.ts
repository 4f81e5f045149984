import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import { isInForce, licenses } from '../verdict-store.ts'

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
 * Reads the operator contexts of each domain: operator Companies with a numbered license in force that
 * authorises it, each with its earliest issued license. A launch profile requires exactly one.
 */
export async function readOperatorContexts(database: Database, domainIds: readonly number[]) {
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

/** Returns true if the domain has exactly one operator context. */
export async function isEligible(database: Database, domainId: number): Promise<boolean> {
  return (await readOperatorContexts(database, [domainId])).get(domainId)?.length === 1
}

/** A Company that the registers name as the holder of a license. */
export type Licensee = { company_ref: string; legal_entity: string | null; names: string[] }

export type AuthorisedLicensee = Licensee & { domain_id: number }

const licensee = sql`
           holder.company_ref, holder.legal_entity,
           array_remove(array[holder.legal_entity, holder.company_name], null) || holder.aliases as names`

/** Returns the Companies whose licenses in force authorise each domain. */
export async function authorisedLicensees(database: Database, domainIds: readonly number[]) {
  const { rows } = await sql<AuthorisedLicensee>`
    select distinct on (authorisation.domain_id, holder.id)
           authorisation.domain_id, ${licensee}
      from authorisations authorisation
      left join licenses license on license.id = authorisation.license_id
      left join license_states state on state.license_id = license.id and state.known_to is null
      join companies named on named.id = coalesce(authorisation.company_id, license.company_id)
      join companies holder on holder.id = coalesce(named.merged_into, named.id)
     where authorisation.domain_id = any (${[...domainIds]}::bigint[])
       and ${licenses}
     order by authorisation.domain_id, holder.id`.execute(database)
  return rows
}

type ClaimedNumber = { domain_id: number; market: string; number: string }

/** The holder of a claimed number. `authorises` is null if the registers list no sites of the holder. */
export type NumberHolder = ClaimedNumber & Licensee & { in_force: boolean; authorises: boolean | null }

/**
 * Finds the holders of license numbers and of registers' account numbers. License numbers are compared
 * without blanks, case and version counter.
 */
export async function holdersOfNumbers(database: Database, numbers: readonly ClaimedNumber[]) {
  if (numbers.length === 0) return []
  const { rows } = await sql<NumberHolder>`
    with wanted as (
      select distinct domain_id, market, number
        from json_to_recordset(${JSON.stringify(numbers)}::json)
               as line (domain_id bigint, market text, number text)
    ),
    claimed as (
      select wanted.*, license.company_id, state.known_to is null and ${isInForce} as in_force
        from wanted
        join license_states state on license_number_key(state.license_number) = license_number_key(number)
        join licenses license on license.id = state.license_id and license.jurisdiction = wanted.market
       union
      select wanted.*, identity.company_id,
             exists (select from licenses license
                       join license_states state on state.license_id = license.id and state.known_to is null
                      where license.company_id = identity.company_id
                        and license.jurisdiction = wanted.market
                        and ${isInForce})
        from wanted
       cross join register_streams stream
        join company_identities identity
          on identity.stream = stream.stream and identity.identity_key = wanted.number
       where exists (select from licenses license
                      where license.stream = stream.stream and license.jurisdiction = wanted.market)
    )
    select claimed.domain_id, claimed.market, claimed.number, ${licensee},
           bool_or(claimed.in_force) as in_force, sites.authorises
      from claimed
      join companies named on named.id = claimed.company_id
      join companies holder on holder.id = coalesce(named.merged_into, named.id)
     cross join lateral (
       select bool_or(authorisation.domain_id = claimed.domain_id and ${licenses}) as authorises
         from authorisations authorisation
         left join licenses license on license.id = authorisation.license_id
         left join license_states state on state.license_id = license.id and state.known_to is null
         join companies listed on listed.id = coalesce(authorisation.company_id, license.company_id)
        where coalesce(listed.merged_into, listed.id) = holder.id
          and authorisation.market = claimed.market
          and authorisation.known_to is null
     ) sites
     group by claimed.domain_id, claimed.market, claimed.number, holder.id, sites.authorises`.execute(
    database,
  )
  return rows
}
