/**
 * The statuses that do not license a domain (contract section 8, "What licenses a domain"); any other does.
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

/** Statuses of the built-in registers; interchange files may have others. */
export const licenseStatuses = ['active', 'white_label', ...notLicensing] as const

/**
 * `Revoked - Non Payment of Fee` → `revoked`, `White Label` → `white_label`, blank → null. A status that
 * begins with a word of `notLicensing` is that word.
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

/** Most serious first: a surrender must not hide a revocation. */
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
 * Orders conflicting statuses of one licence, so that the row order of the source does not matter. First
 * `active` and `white_label`, then unknown words, then no status, then the others by seriousness.
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
