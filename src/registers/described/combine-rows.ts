/** Combines the rows of one licensee or license. The order of rows does not matter. */
import { compareStatuses } from '../../core/license-status.ts'
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
 * Collects the types, as a license has a row per activity. A status that licenses wins, with its end date,
 * because a holder may give up one activity and keep the rest. Of other statuses the more serious wins.
 */
export function combineLicenses(stored: LicenseRow, row: LicenseRow): LicenseRow {
  const [leading, other] = compareStatuses(stored.status, row.status) <= 0 ? [stored, row] : [row, stored]
  const sameStatus = leading.status === other.status
  return {
    ...leading,
    licenseNumber: lesser(stored.licenseNumber, row.licenseNumber),
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

/** null is an open end, and wins. */
const later = (one: string | null, other: string | null) =>
  one === null || other === null ? null : one > other ? one : other

const lesser = (one: string, other: string) => (one < other ? one : other)

const lesserOrNull = (one: string | null, other: string | null) =>
  one === null || other === null ? (one ?? other) : lesser(one, other)
