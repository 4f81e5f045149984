import type { World } from '../../database/open.ts'
import { domainEntryJson } from '../domain-entry-store.ts'

export type LicenseProfileRow = {
  license_ref: string
  company_ref: string | null
  company_name: string | null
  legal_entity: string | null
  jurisdiction: string
  license_number: string | null
  license_type: string | null
  status: string | null
  issued_at: string | null
  expires_at: string | null
  first_seen_at: Date
  last_seen_at: Date | null
  last_confirmed_at: Date | null
  listed: boolean
  source_url: string | null
  authorized_domains: { domain_ref: string; domain: string; inferred_geo: string | null }[]
}

/**
 * The profiles of these states, in the order of the jurisdictions and refs. Open states take last seen and last confirmed
 * from their stream (contract section 9); a closed one was last confirmed when it was last seen, and covers no domain.
 */
export async function readLicenseProfiles(
  world: World,
  stateIds: readonly number[],
): Promise<LicenseProfileRow[]> {
  return world.read<LicenseProfileRow>({
    name: 'license_profiles',
    text: `
      select license.license_ref, company.company_ref, company.company_name, company.legal_entity,
             license.jurisdiction, state.license_number, state.license_type, state.status, state.issued_at,
             state.expires_at, license.first_seen_at,
             coalesce(state.last_seen_at, stream.last_taken_at) as last_seen_at,
             case when state.known_to is null then stream.last_confirmed_at else state.last_seen_at end
               as last_confirmed_at,
             state.known_to is null as listed,
             state.source_url,
             covered.authorized_domains
        from license_states state
        join licenses license on license.id = state.license_id
        left join register_streams stream on stream.stream = license.stream
        left join companies holder on holder.id = license.company_id
        left join companies company on company.id = coalesce(holder.merged_into, holder.id)
       cross join lateral (
         select coalesce(json_agg(${domainEntryJson} order by domain.domain), '[]') as authorized_domains
           from domains domain
          where state.known_to is null
            and domain.id in (
              select authorisation.domain_id
                from authorisations authorisation
               where authorisation.license_id = license.id
                 and authorisation.known_to is null
                 and authorisation.counts
            )
       ) covered
       where state.id = any ($1::bigint[])
       order by license.jurisdiction collate "C", license.license_ref collate "C"`,
    values: [stateIds],
    anyValue: true,
  })
}
