/**
 * One licensee or license out of all rows that name it: a table with a row for each domain prints its holder many times.
 * The result is the same in whatever order the rows stand.
 */
import { compareStatuses } from '../../core/license-status.ts'
import type { LicenseeRow, LicenseRow } from '../stream.ts'

export function combineLicensees(held: LicenseeRow, row: LicenseeRow): LicenseeRow {
  return {
    ...held,
    legalName: lesser(held.legalName, row.legalName),
    tradingNames: [...new Set([...held.tradingNames, ...row.tradingNames])].sort(),
    country: lesserOrNull(held.country, row.country),
    registrationNumber: lesserOrNull(held.registrationNumber, row.registrationNumber),
  }
}

/**
 * Types are gathered, as a license has a row for each activity. A status that licenses wins over one that does not, with
 * its end, as a holder may give up one activity and keep the rest; of others the more serious.
 */
export function combineLicenses(held: LicenseRow, row: LicenseRow): LicenseRow {
  const [leading, other] = compareStatuses(held.status, row.status) <= 0 ? [held, row] : [row, held]
  const sameStatus = leading.status === other.status
  return {
    ...leading,
    licenseNumber: lesser(held.licenseNumber, row.licenseNumber),
    licenseType: typesOf([held, row]),
    issuedAt: lesserOrNull(held.issuedAt, row.issuedAt),
    expiresAt: sameStatus ? later(leading.expiresAt, other.expiresAt) : leading.expiresAt,
    sourceUrl: lesserOrNull(held.sourceUrl, row.sourceUrl),
    role: held.role === 'operator' || row.role === 'operator' ? 'operator' : (held.role ?? row.role),
  }
}

const betweenTypes = '; '

function typesOf(rows: readonly LicenseRow[]): string | null {
  const types = rows.flatMap(row => row.licenseType?.split(betweenTypes) ?? [])
  return types.length === 0 ? null : [...new Set(types)].sort().join(betweenTypes)
}

/** Open as long as one row is. */
const later = (one: string | null, other: string | null) =>
  one === null || other === null ? null : one > other ? one : other

const lesser = (one: string, other: string) => (one < other ? one : other)

const lesserOrNull = (one: string | null, other: string | null) =>
  one === null || other === null ? (one ?? other) : lesser(one, other)
