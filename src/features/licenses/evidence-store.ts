import { licenseFact } from '../domains/index.ts'
import { licenseStateThen } from '../known-facts-store.ts'
import { evidenceText, streamsGiven } from '../receipts/index.ts'
import { licenseResolutions, shownStateId } from './resolutions-store.ts'

/** Selects the rows of profiles as JSON text, with the FROM item of their states. */
const decidedBy = (profiles: string, state: string) => `
    decided as (
      select ${licenseFact} as fact
        from json_array_elements(('[' || ${profiles}::text || ']')::json) profile
        join licenses license on license.license_ref = profile.value ->> 'license_ref'
       cross join lateral ${state} state
    )`

/**
 * Reads the rows behind the profiles of a key ($1), which were read before ($2). They are of this moment if
 * the statement that read them returns the same text.
 */
export const licenseEvidence = {
  name: 'license_evidence',
  text: evidenceText(
    `
    resolved as materialized (${licenseResolutions.text}),
    ${decidedBy('$2', `(select * from license_states state where state.id = ${shownStateId})`)}`,
    'null',
    'exists (select from resolved where profiles = $2::text)',
  ),
}

/** Reads the rows behind the profiles ($1) of two times, as known when an event ($2) was committed. */
export const licenseEvidenceThen = {
  name: 'license_evidence_then',
  text: evidenceText(
    decidedBy('$1', licenseStateThen('license', { event: '$2::bigint', asOf: '$3::timestamptz' })),
    streamsGiven('$4', '$5', '$6'),
  ),
}
