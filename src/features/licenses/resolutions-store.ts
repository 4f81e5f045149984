import { versionedJurisdiction } from '@baize/names'
import type { PointRead } from '@baize/postgres'
import { reviewedBrandStream } from '../../journal/index.ts'
import { domainEntryText } from '../domain-entry-store.ts'
import { instantOrNull, textOrNull } from '../json-text-store.ts'
import {
  authorisationsInForce,
  joinMoment,
  lastTakenThen,
  licenseFirstSeen,
  licenseStateThen,
} from '../known-facts-store.ts'
import type { Times } from '../two-times.ts'

/** Selects the domains that a row `license` covers in the register, whatever the license's status. */
const coveredBy = (authorisations: string, begun: string) => `(
         select concat('[', string_agg(${domainEntryText}, ',' order by domain.domain), ']')
           from domains domain
          where domain.id = any (array(
            select authorisation.domain_id
              from ${authorisations} authorisation
             where authorisation.license_id = license.id
               and authorisation.known_to is null
               and authorisation.counts
               and authorisation.stream <> '${reviewedBrandStream}'
               and ${begun}
          ))
       )`
export const coveredDomainsText = coveredBy('authorisations', 'true')

/**
 * Selects the open state of a license, or else its last one. Subqueries use the index: a join took 141 ms
 * instead of 0.1 ms for 250,000 licenses.
 */
export const shownStateId = `coalesce(
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
 * Selects the licenses with a number, ignoring case, blanks and the version counter of a UKGC number
 * (§4.9). Former licenses are included only if no current one has the number. Nothing is read if
 * `condition` is false.
 */
export const licensesOfNumber = (number: string, jurisdiction: string, condition: string) => `(
        with numbered as materialized (
          select state.id as state_id, state.license_id, state.license_number,
                 state.known_to is null as is_listed
            from license_states state
           where ${condition} and license_number_key(state.license_number) = license_number_key(${number})
        ),
        matched as (
          select license.id as license_id, numbered.state_id, license.jurisdiction, license.company_id,
                 numbered.is_listed
            from numbered
           cross join lateral (select * from licenses where id = numbered.license_id offset 0) license
           where (license.jurisdiction = '${versionedJurisdiction}'
                  or fold_license_number(numbered.license_number) = fold_license_number(${number}))
             and (${jurisdiction} is null or license.jurisdiction = ${jurisdiction})
             and numbered.state_id = ${shownStateId}
        )
        select license_id, state_id, jurisdiction, company_id
          from matched
         where is_listed = (select bool_or(is_listed) from matched)
      )`

export type LicenseResolution = {
  key: string
  found: number
  jurisdictions: string[] | null
  /** The profiles as JSON, separated by commas. */
  profiles: string | null
}

export const refKey = (ref: string) => `license_ref::${ref}`
export const numberKey = (number: string, jurisdiction = '') => `license_number:${jurisdiction}:${number}`

/** A license of ten thousand domains must not delay other requests of its batch. */
const variableCost = { secondStatementAfterMs: 20, keysMax: 32 }

/** What a profile says besides the columns of `license`, `state`, `stream` and `company`. */
type ProfileTexts = {
  listed: string
  firstSeenAt: string
  lastSeenAt: string
  lastConfirmedAt: string
  covered: string
}

const isNumber = `input.kind = 'license_number'`
const profileNow: ProfileTexts = {
  listed: 'state.known_to is null',
  firstSeenAt: 'license.first_seen_at',
  lastSeenAt: 'coalesce(state.last_seen_at, stream.last_taken_at)',
  lastConfirmedAt: `
  case when state.known_to is null then stream.last_confirmed_at else state.last_seen_at end`,
  covered: coveredDomainsText,
}

const profilesText = ({ listed, firstSeenAt, lastSeenAt, lastConfirmedAt, covered }: ProfileTexts) => `
       select count(*) as found,
              array_agg(distinct license.jurisdiction collate "C"
                        order by license.jurisdiction collate "C") as jurisdictions,
              string_agg(
                concat('{"license_ref":', to_json(license.license_ref),
                       ',"company_ref":', ${textOrNull('company.company_ref')},
                       ',"company_name":', ${textOrNull('company.company_name')},
                       ',"legal_entity":', ${textOrNull('company.legal_entity')},
                       ',"jurisdiction":', to_json(license.jurisdiction),
                       ',"license_number":', ${textOrNull('state.license_number')},
                       ',"license_type":', ${textOrNull('state.license_type')},
                       ',"status":', ${textOrNull('state.status')},
                       ',"issued_at":', ${textOrNull('state.issued_at')},
                       ',"expires_at":', ${textOrNull('state.expires_at')},
                       ',"first_seen_at":', ${instantOrNull(firstSeenAt)},
                       ',"last_seen_at":', ${instantOrNull(lastSeenAt)},
                       ',"last_confirmed_at":', ${instantOrNull(lastConfirmedAt)},
                       ',"listed":', to_json(${listed}),
                       ',"source_url":', ${textOrNull('coalesce(state.source_url, stream.official_url)')},
                       ',"authorized_domains":',
                       case when ${listed} then ${covered} else '[]' end,
                       '}'),
                ',' order by license.jurisdiction collate "C", license.license_ref collate "C"
              ) as profiles`

const ofHolder = `
         left join lateral (
           select * from register_streams where stream = license.stream offset 0
         ) stream on true
         left join lateral (
           select coalesce(merged_into, id) as id from companies where id = license.company_id offset 0
         ) holder on true
         left join lateral (select * from companies where id = holder.id offset 0) company on true`

/**
 * Reads licenses by ref or number. Open states have the last dates of their stream (contract section 9);
 * closed ones have their own, and no domains. The keys pass through a subquery so that the query plan does
 * not depend on their number; `offset 0` forces lookups by index.
 */
export const licenseResolutions: PointRead<LicenseResolution> = {
  name: 'license_resolutions',
  text: `
    select input.key, resolved.found, to_json(resolved.jurisdictions) as jurisdictions, resolved.profiles
      from (
        select key, split_part(key, ':', 1) as kind, nullif(split_part(key, ':', 2), '') as jurisdiction,
               substr(key, length(split_part(key, ':', 1)) + length(split_part(key, ':', 2)) + 3) as value
          from unnest((select $1::text[])) as key
        offset 0
      ) input
     cross join lateral (
       ${profilesText(profileNow)}
         from (
           select license.id as license_id, ${shownStateId} as state_id
             from licenses license
            where input.kind = 'license_ref' and license.license_ref = input.value
           union all
           select license_id, state_id
             from ${licensesOfNumber('input.value', 'input.jurisdiction', isNumber)} numbered
         ) led
        cross join lateral (select * from licenses where id = led.license_id offset 0) license
        cross join lateral (select * from license_states where id = led.state_id offset 0) state${ofHolder}
     ) resolved`,
  keyOf: row => row.key,
  variableCost,
}

const then = { event: 'input.event', asOf: 'input.as_of' }

const profileThen: ProfileTexts = {
  listed: 'not state.has_ended',
  firstSeenAt: licenseFirstSeen('license', then.event),
  lastSeenAt: `coalesce(state.last_seen_at, ${lastTakenThen('license.stream', then.event)})`,
  lastConfirmedAt: `case when state.has_ended then state.last_seen_at
                         else ${lastTakenThen('license.stream', then.event)} end`,
  covered: coveredBy(
    authorisationsInForce('license_id = license.id', then),
    '(authorisation.has_begun or state.issued_at <= input.as_of)',
  ),
}

export const resolutionKeyThen = (key: string, { knownAt, asOf }: Times) =>
  `${knownAt.toISOString()} ${asOf} ${key}`

/** Reads licenses of two times by ref or number. `event` is null if nothing was known then. */
export const licenseResolutionsThen: PointRead<
  LicenseResolution & { event: number | null; committed_at: Date | null }
> = {
  name: 'license_resolutions_then',
  text: `
    with asked as (
      select key, split_part(key, ' ', 1)::timestamptz as known_at,
             split_part(key, ' ', 2)::timestamptz as as_of,
             substr(key, length(split_part(key, ' ', 1)) + length(split_part(key, ' ', 2)) + 3) as read
        from unnest((select $1::text[])) as key
    ),
    input as materialized (
      select key, as_of, split_part(read, ':', 1) as kind,
             nullif(split_part(read, ':', 2), '') as jurisdiction,
             substr(read, length(split_part(read, ':', 1)) + length(split_part(read, ':', 2)) + 3) as value,
             moment.number as event, moment.committed_at
        from asked ${joinMoment('asked.known_at')}
    )
    select input.key, input.event, input.committed_at, resolved.found,
           to_json(resolved.jurisdictions) as jurisdictions, resolved.profiles
      from input
     cross join lateral (
       ${profilesText(profileThen)}
         from (
           select state.*,
                  bool_or(not state.has_ended) over () as any_listed
             from (
               select id as license_id
                 from licenses
                where input.kind = 'license_ref' and license_ref = input.value
               union
               select license_id from license_states
                where ${isNumber} and license_number_key(license_number) = license_number_key(input.value)
               union
               select license_id from former_license_states
                where ${isNumber} and license_number_key(license_number) = license_number_key(input.value)
             ) named
             join licenses license on license.id = named.license_id
            cross join lateral ${licenseStateThen('license', then)} state
            where input.kind = 'license_ref'
               or ((input.jurisdiction is null or license.jurisdiction = input.jurisdiction)
                   and license_number_key(state.license_number) = license_number_key(input.value)
                   and (license.jurisdiction = '${versionedJurisdiction}'
                        or fold_license_number(state.license_number) = fold_license_number(input.value)))
         ) state
         join licenses license on license.id = state.license_id${ofHolder}
        where input.kind = 'license_ref' or not state.has_ended or not state.any_listed
     ) resolved`,
  keyOf: row => row.key,
  variableCost,
}
