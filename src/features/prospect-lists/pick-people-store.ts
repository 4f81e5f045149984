import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import type { ProspectListResult, TargetAccount } from './result-schema.ts'

/** A Company as a target of a list, with all its people who have an e-mail address. */
export type Pickable = TargetAccount & { licences: NonNullable<TargetAccount['licences']>; brands: string[] }

/** Reads Companies as targets, in the order of their refs. Each ref of a merged Company is its survivor's. */
export async function readPickable(database: Database, refs: readonly string[]): Promise<Pickable[]> {
  const { rows } = await sql<Pickable>`
    select company.company_ref as target_ref,
           coalesce(company.company_name, company.legal_entity, company.company_ref) as name,
           search_row.hit -> 'primary_domain' ->> 'domain' as website,
           case when company.legal_entity <> coalesce(company.company_name, '')
                then json_build_array(json_build_object('name', company.legal_entity, 'role', 'legal entity'))
                else '[]' end as candidate_organizations,
           company.brands[:50] as brands,
           coalesce((
             select json_agg(json_build_object('jurisdiction', license.jurisdiction,
                               'licence_number', state.license_number, 'licence_type', state.license_type))
               from licenses license
               join license_states state on state.license_id = license.id and state.known_to is null
              where license.company_id = company.id and state.license_number is not null
           ), '[]') as licences,
           coalesce((
             select json_agg(json_build_object('contact_ref', contact_ref, 'name', name,
                               'role', coalesce(title, headline), 'professional_profile_url', linkedin_url,
                               'contact_channels', json_build_array(email)) order by name)
               from contacts where company_id = company.id and email is not null
           ), '[]') as key_contacts
      from unnest(${[...new Set(refs)]}::text[]) with ordinality as wanted (ref, place)
      join companies named on named.company_ref = wanted.ref
      join companies company on company.id = coalesce(named.merged_into, named.id)
      left join company_search search_row on search_row.id = company.id
     order by wanted.place`.execute(database)
  return rows
}

type Asked = { result: ProspectListResult | null; request: string | null }

/** Reads the last result of a list, and the text of its request. */
export async function readAsked(database: Database, ref: string): Promise<Asked> {
  const { rows } = await sql<Asked>`
    select list.result, request.request
      from prospect_lists list
      left join prospect_list_requests request on request.prospect_list_id = list.id
     where list.prospect_list_ref = ${ref}`.execute(database)
  return rows[0] ?? { result: null, request: null }
}
