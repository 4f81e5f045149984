import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import { reviewedBrandStream } from '../../../journal/index.ts'

export type LicenseFacts = {
  id: number
  license_ref: string
  jurisdiction: string
  license_number: string | null
  license_type: string | null
  status: string | null
  issued_at: string | null
  expires_at: string | null
  /** The ref of the holder; null if the source names no holder. */
  company_ref: string | null
  company_name: string | null
  legal_entity: string | null
  /** The brands of the holder; empty without one. Aliases include names from before a merge. */
  brands: string[]
  aliases: string[]
  authorized_domain_count: number
}

/** Reads the facts of licenses; those that no source lists today are left out. */
export async function readLicenseFacts(database: Database, ids: readonly number[]): Promise<LicenseFacts[]> {
  const { rows } = await sql<LicenseFacts>`
    select license.id, license.license_ref, license.jurisdiction, state.license_number, state.license_type,
           state.status, state.issued_at, state.expires_at,
           company.company_ref, company.company_name, company.legal_entity,
           coalesce(company.brands, '{}') as brands,
           coalesce(company.aliases, '{}') as aliases, covered.authorized_domain_count
      from unnest(${[...ids]}::bigint[]) as wanted (id)
      join licenses license on license.id = wanted.id
     cross join lateral (
       -- unique already: "limit 1" makes the planner start from the license
       select open.*
         from license_states open
        where open.license_id = license.id and open.known_to is null
        limit 1
     ) state
      left join companies holder on holder.id = license.company_id
      left join companies company on company.id = coalesce(holder.merged_into, holder.id)
     cross join lateral (
       select count(distinct authorisation.domain_id) as authorized_domain_count
         from authorisations authorisation
        where authorisation.license_id = license.id
          and authorisation.known_to is null
          and authorisation.counts
          and authorisation.stream <> ${reviewedBrandStream}
     ) covered
     order by license.id`.execute(database)
  return rows
}
