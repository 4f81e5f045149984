import { versionedJurisdiction } from '../../core/license-number.ts'
import type { World } from '../../database/open.ts'

/** A license that an input leads to, and the state that is told of it: today's, or the last that it had. */
export type FoundLicense = {
  license_id: number
  state_id: number
  jurisdiction: string
  /** null: the source names no holder. */
  company_id: number | null
}

/**
 * The state that is told of a license. Scalar reads by index: joined, the states of all licenses are read whole by
 * the one plan that has to do for every number (141 ms instead of 0.1 at 250,000 licenses).
 */
const toldStateId = `coalesce(
             (select state.id
                from license_states state
               where state.license_id = license.id and state.known_to is null),
             (select state.id
                from license_states state
               where state.license_id = license.id and state.known_to is not null
               order by state.known_from desc, state.id desc
               limit 1)
           )`

export async function findLicenseByRef(world: World, ref: string): Promise<FoundLicense[]> {
  return world.read<FoundLicense>({
    name: 'find_license_by_ref',
    text: `
      select license.id as license_id, ${toldStateId} as state_id, license.jurisdiction, license.company_id
        from licenses license
       where license.license_ref = $1`,
    values: [ref],
    anyValue: true,
  })
}

/**
 * The licenses of this number: case and blanks do not count, nor does the version counter of a UKGC number (§4.9).
 * What registers have today answers; only where none of them has the number, what they had last. Several are several
 * jurisdictions, or several sources of one.
 */
export async function findLicensesByNumber(
  world: World,
  number: string,
  jurisdiction: string | null,
): Promise<FoundLicense[]> {
  return world.read<FoundLicense>({
    name: 'find_licenses_by_number',
    text: `
      with numbered as materialized (
        select state.id as state_id, state.license_id, state.license_number, state.known_to is null as is_listed
          from license_states state
         where license_number_key(state.license_number) = license_number_key($1)
      ),
      told as (
        select license.id as license_id, numbered.state_id, license.jurisdiction, license.company_id,
               numbered.is_listed
          from numbered
         cross join lateral (select * from licenses where id = numbered.license_id offset 0) license
         where (license.jurisdiction = '${versionedJurisdiction}'
                or fold_license_number(numbered.license_number) = fold_license_number($1))
           and ($2::text is null or license.jurisdiction = $2)
           and numbered.state_id = ${toldStateId}
      )
      select license_id, state_id, jurisdiction, company_id
        from told
       where is_listed = (select bool_or(is_listed) from told)
       order by jurisdiction collate "C", license_id`,
    values: [number, jurisdiction],
    anyValue: true,
  })
}
