import { Failure } from '../../core/failure.ts'

/**
 * Several registers may use a number; which is meant is then for the customer to say: 409
 * `ambiguous_license_number` (§7).
 */
export function requireOneJurisdiction(jurisdictions: readonly string[] | null): void {
  if (jurisdictions === null || jurisdictions.length < 2) return
  throw new Failure('ambiguous_license_number', {
    message: 'Several jurisdictions use that license number; send "jurisdiction" too.',
    details: { jurisdictions },
  })
}
