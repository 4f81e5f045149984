/** A calendar of the industry needs no other years: what lies outside is a slip of the pen. */
export const yearMin = 1900
export const yearMax = 2199

/** Neither is what is no moment at all, such as a second 60. */
export function hasPlausibleYear(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= yearMin && year <= yearMax
}
