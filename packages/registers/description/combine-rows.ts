/** Combines the rows of one licensee or license. The order of rows does not matter. */
import { compareStatuses } from '../entries/license-status.ts'
import type { LicenseeRow, LicenseRow } from '../stream.ts'

export function combineLicensees(stored: LicenseeRow, row: LicenseeRow): LicenseeRow {
  return {
    ...stored,
    legalName: lesser(stored.legalName, row.legalName),
    tradingNames: [...new Set([...stored.tradingNames, ...row.tradingNames])].sort(),
    country: lesserOrNull(stored.country, row.country),
    registrationNumber: lesserOrNull(stored.registrationNumber, row.registrationNumber),
  }
}

/**
 * Combines two rows of a license, because a license has a row for each activity. A status that licenses
 * wins with its end date, because a holder may give up one activity and keep the rest. Otherwise the more
 * serious status wins.
 */
export function combineLicenses(stored: LicenseRow, row: LicenseRow): LicenseRow {
  const [leading, other] = compareStatuses(stored.status, row.status) <= 0 ? [stored, row] : [row, stored]
  const sameStatus = leading.status === other.status
  return {
    ...leading,
    licenseNumber: lesserOrNull(stored.licenseNumber, row.licenseNumber),
    licenseType: typesOf([stored, row]),
    issuedAt: lesserOrNull(stored.issuedAt, row.issuedAt),
    expiresAt: sameStatus ? later(leading.expiresAt, other.expiresAt) : leading.expiresAt,
    sourceUrl: lesserOrNull(stored.sourceUrl, row.sourceUrl),
    role: stored.role === 'operator' || row.role === 'operator' ? 'operator' : (stored.role ?? row.role),
  }
}

const betweenTypes = '; '

function typesOf(rows: readonly LicenseRow[]): string | null {
  const types = rows.flatMap(row => row.licenseType?.split(betweenTypes) ?? [])
  return types.length === 0 ? null : [...new Set(types)].sort().join(betweenTypes)
}

/** Returns the later end. null wins, because it means an open end. */
const later = (one: string | null, other: string | null) =>
  one === null || other === null ? null : one > other ? one : other

const lesser = (one: string, other: string) => (one < other ? one : other)

const lesserOrNull = (one: string | null, other: string | null) =>
  one === null || other === null ? (one ?? other) : lesser(one, other)
