/** Years outside of this range are treated as typing errors. */
export const yearMin = 1900
export const yearMax = 2199

/** Returns false for an invalid Date, too. */
export function hasPlausibleYear(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= yearMin && year <= yearMax
}
