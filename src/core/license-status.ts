/**
 * What a register says of a license, in one spelling, and whether it licenses a domain (contract section 8:
 * "What licenses a domain"). An unknown status counts by membership, as a source without a status does.
 */
export const notLicensing = [
  'suspended',
  'revoked',
  'expired',
  'surrendered',
  'lapsed',
  'forfeited',
  'pending',
  'inactive',
  'cancelled',
] as const

/** The words that the registers of the service use; an interchange file may bring others. */
export const licenseStatuses = ['active', 'white_label', ...notLicensing] as const

/**
 * `Revoked - Non Payment of Fee` → `revoked`, `White Label` → `white_label`; null for nothing. Whatever follows a word
 * that does not license does not make it license.
 */
export function normaliseStatus(published: string | null | undefined): string | null {
  const text = published?.trim().toLowerCase().replaceAll(/\s+/g, ' ') ?? ''
  if (text === '') return null
  const firstWord = /^[a-z]+/.exec(text)?.[0] ?? ''
  if ((notLicensing as readonly string[]).includes(firstWord)) return firstWord
  return text.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')
}

export function statusLicenses(status: string | null): boolean {
  return status === null || !(notLicensing as readonly string[]).includes(status)
}

/** What ends a licence, or stops it, by how much it says of its holder: a revocation is never hidden by a surrender. */
const bySeriousness: readonly string[] = [
  'revoked',
  'suspended',
  'forfeited',
  'cancelled',
  'surrendered',
  'lapsed',
  'expired',
  'inactive',
  'pending',
] satisfies (typeof notLicensing)[number][]

/**
 * Which of two statuses of one thing holds, as sorting takes it, so that the order of the rows that print them decides
 * nothing: one that licenses, the register's own words before a word that nobody knows and before none; then the more serious.
 */
export function compareStatuses(one: string | null, other: string | null): number {
  const [a, b] = [one ?? '', other ?? '']
  return placeOf(one) - placeOf(other) || Number(a > b) - Number(a < b)
}

const unknownPlace = 2

function placeOf(status: string | null): number {
  if (status === null) return unknownPlace + 1
  const serious = bySeriousness.indexOf(status)
  if (serious >= 0) return unknownPlace + 2 + serious
  return status === 'active' ? 0 : status === 'white_label' ? 1 : unknownPlace
}
