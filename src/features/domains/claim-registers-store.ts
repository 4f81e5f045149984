import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { isInForce, licenses } from './verdict-store.ts'

/** A Company that the registers name as the holder of a license. */
export type Licensee = { company_ref: string; legal_entity: string | null; names: string[] }

export type AuthorisedLicensee = Licensee & { domain_id: number }

const licensee = sql`
           holder.company_ref, holder.legal_entity,
           array_remove(array[holder.legal_entity, holder.company_name], null) || holder.aliases as names`

/** The Companies whose licenses in force authorise each domain. */
export async function authorisedLicensees(
  database: Database,
  domainIds: readonly number[],
): Promise<AuthorisedLicensee[]> {
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

export type ClaimedNumber = { domain_id: number; market: string; number: string }

/** What the registers say of a claimed number. `authorises`: null if they list no sites of the holder. */
export type NumberHolder = ClaimedNumber & Licensee & { in_force: boolean; authorises: boolean | null }

/**
 * Holders of license numbers, compared without blanks, case and version counter, and of account numbers,
 * by which a register identifies its licensees.
 */
export async function holdersOfNumbers(
  database: Database,
  numbers: readonly ClaimedNumber[],
): Promise<NumberHolder[]> {
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
