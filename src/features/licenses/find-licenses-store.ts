import { versionedJurisdiction } from '../../core/license-number.ts'

/**
 * The state that is told of a row `license` of licenses: today's, or the last that it had. Scalar reads by
 * index: joined, the states of all licenses are read whole by the one plan that has to do for every number
 * (141 ms instead of 0.1 at 250,000 licenses).
 */
export const toldStateId = `coalesce(
             (select state.id
                from license_states state
               where state.license_id = license.id and state.known_to is null),
             (select state.id
                from license_states state
               where state.license_id = license.id and state.known_to is not null
               order by state.known_from desc, state.id desc
               limit 1)
           )`

/**
 * The licenses of a number, for a `from`: case and blanks do not count, nor does the version counter of a
 * UKGC number (§4.9). What registers have today answers; only where none of them has the number, what they
 * had last. Several are several jurisdictions, or several sources of one. Where the condition does not hold,
 * nothing is looked up.
 */
export const licensesOfNumber = (number: string, jurisdiction: string, condition: string) => `(
        with numbered as materialized (
          select state.id as state_id, state.license_id, state.license_number, state.known_to is null as is_listed
            from license_states state
           where ${condition} and license_number_key(state.license_number) = license_number_key(${number})
        ),
        told as (
          select license.id as license_id, numbered.state_id, license.jurisdiction, license.company_id,
                 numbered.is_listed
            from numbered
           cross join lateral (select * from licenses where id = numbered.license_id offset 0) license
           where (license.jurisdiction = '${versionedJurisdiction}'
                  or fold_license_number(numbered.license_number) = fold_license_number(${number}))
             and (${jurisdiction} is null or license.jurisdiction = ${jurisdiction})
             and numbered.state_id = ${toldStateId}
        )
        select license_id, state_id, jurisdiction, company_id
          from told
         where is_listed = (select bool_or(is_listed) from told)
      )`
