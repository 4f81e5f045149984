/** Statuses that do not license a domain; any other does (contract section 8, "What licenses a domain"). */
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

/** Statuses in the built-in registers. Interchange files may have others. */
export const licenseStatuses = ['active', 'white_label', ...notLicensing] as const

/**
 * Normalises a status: `White Label` → `white_label`, blank → null. A status that begins with a word of
 * `notLicensing` becomes that word: `Revoked - Non Payment of Fee` → `revoked`.
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

/** Statuses, the most serious first: a surrender must not hide a revocation. */
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
 * Orders conflicting statuses of one license, independently of the source's row order: `active` and
 * `white_label`, unknown words, no status, then the others by seriousness.
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
