import { Failure } from '../../core/failure.ts'
import type { World } from '../../database/open.ts'
import { type FoundLicense, findLicensesByNumber } from './find-licenses-store.ts'

/**
 * The licenses of this number, all of one jurisdiction. Several registers may use a number; which is meant is then for the
 * customer to say: 409 `ambiguous_license_number` (§7).
 */
export async function findLicensesOfNumber(
  world: World,
  number: string,
  jurisdiction: string | null,
): Promise<FoundLicense[]> {
  const found = await findLicensesByNumber(world, number, jurisdiction)
  const jurisdictions = [...new Set(found.map(license => license.jurisdiction))]
  if (jurisdictions.length > 1) {
    throw new Failure('ambiguous_license_number', {
      message: 'Several jurisdictions use that license number; send "jurisdiction" too.',
      details: { jurisdictions },
    })
  }
  return found
}
