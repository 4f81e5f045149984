import type { PointRead } from '../../database/batch-reader.ts'
import { instantOrNull, textOrNull } from '../json-text-store.ts'
import { coveredDomainsText } from './covered-domains-store.ts'
import { licensesOfNumber, shownStateId } from './find-licenses-store.ts'

type LicenseResolution = {
  key: string
  found: number
  jurisdictions: string[] | null
  /** JSON, separated by commas. */
  profiles: string | null
}

export const refKey = (ref: string) => `license_ref::${ref}`
export const numberKey = (number: string, jurisdiction = '') => `license_number:${jurisdiction}:${number}`

/** A license of ten thousand domains must not delay others. */
const variableCost = { secondStatementAfterMs: 20, keysMax: 32 }

const isNumber = `input.kind = 'license_number'`
const lastSeenAt = 'coalesce(state.last_seen_at, stream.last_taken_at)'
const lastConfirmedAt = `
  case when state.known_to is null then stream.last_confirmed_at else state.last_seen_at end`

/**
 * Open states have the last seen and last confirmed times of their stream (contract section 9). A closed
 * state has its own, and no domains. The keys pass through a subquery so that the query plan does not
 * depend on their number; `offset 0` forces lookups by index.
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
                       ',"first_seen_at":', ${instantOrNull('license.first_seen_at')},
                       ',"last_seen_at":', ${instantOrNull(lastSeenAt)},
                       ',"last_confirmed_at":', ${instantOrNull(lastConfirmedAt)},
                       ',"listed":', to_json(state.known_to is null),
                       ',"source_url":', ${textOrNull('state.source_url')},
                       ',"authorized_domains":',
                       case when state.known_to is null then ${coveredDomainsText} else '[]' end,
                       '}'),
                ',' order by license.jurisdiction collate "C", license.license_ref collate "C"
              ) as profiles
         from (
           select license.id as license_id, ${shownStateId} as state_id
             from licenses license
            where input.kind = 'license_ref' and license.license_ref = input.value
           union all
           select license_id, state_id
             from ${licensesOfNumber('input.value', 'input.jurisdiction', isNumber)} numbered
         ) led
        cross join lateral (select * from licenses where id = led.license_id offset 0) license
        cross join lateral (select * from license_states where id = led.state_id offset 0) state
         left join lateral (
           select * from register_streams where stream = license.stream offset 0
         ) stream on true
         left join lateral (
           select coalesce(merged_into, id) as id from companies where id = license.company_id offset 0
         ) holder on true
         left join lateral (select * from companies where id = holder.id offset 0) company on true
     ) resolved`,
  keyOf: row => row.key,
  from: 'replica',
  variableCost,
}
