import { Failure } from '../../core/failure.ts'

/** Fails with 409 if several jurisdictions use a number (§7). */
export function requireOneJurisdiction(jurisdictions: readonly string[] | null): void {
  if (jurisdictions === null || jurisdictions.length < 2) return
  throw new Failure('ambiguous_license_number', {
    message: 'Several jurisdictions use that license number; also send "jurisdiction".',
    details: { jurisdictions },
  })
}
