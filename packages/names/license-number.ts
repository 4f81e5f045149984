/**
 * License numbers of the UKGC end in a version counter: `…-319313-004` is the third change of `…-319313`. A
 * search finds the license with any counter (§4.9). The database function `license_number_key` has the same
 * pattern; a test compares the two.
 */
export const versionedJurisdiction = 'ukgc'

const versioned = /^(\d+\s*-\s*[A-Z]+\s*-\s*\d+)\s*-\s*(\d+)$/i

/** Returns null if the number has no version counter. */
export function splitVersion(number: string): { number: string; version: number } | null {
  const [, versionless, counter] = versioned.exec(number.trim()) ?? []
  return versionless === undefined ? null : { number: versionless, version: Number(counter) }
}
