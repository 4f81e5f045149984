import { licenseSha256 } from '../domains/index.ts'
import { evidenceText } from '../receipts/index.ts'
import { licenseResolutions, shownStateId } from './resolutions-store.ts'

/**
 * Reads the rows behind the profiles of a key ($1), which were read before ($2). They are of this moment if
 * the statement that read them returns the same text.
 */
export const licenseEvidence = {
  name: 'license_evidence',
  text: evidenceText(
    `
    resolved as materialized (${licenseResolutions.text}),
    decided as (
      select license.stream, license.record_key, ${licenseSha256} as sha256
        from json_array_elements(('[' || $2::text || ']')::json) profile
        join licenses license on license.license_ref = profile.value ->> 'license_ref'
        join license_states state on state.id = ${shownStateId}
    )`,
    { isAll: 'false', isCurrent: 'exists (select from resolved where profiles = $2::text)' },
  ),
}
