/**
 * The register whose numbers end in a counter of versions: `…-319313-004` is the licence `…-319313`, as changed three times,
 * and is found with any counter (§4.9). The function `license_number_key` of the database looks numbers up by the same
 * shape; a test holds the two together.
 */
export const versionedJurisdiction = 'ukgc'

const versioned = /^(\d+\s*-\s*[A-Z]+\s*-\s*\d+)\s*-\s*(\d+)$/i

/** A number without its version counter, and the counter; null: it has none. */
export function splitVersion(number: string): { number: string; version: number } | null {
  const [, versionless, counter] = versioned.exec(number.trim()) ?? []
  return versionless === undefined ? null : { number: versionless, version: Number(counter) }
}
