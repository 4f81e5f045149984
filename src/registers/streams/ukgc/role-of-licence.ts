/**
 * Whether a licence makes its holder an operator or a supplier: its activities tell. One that faces players makes an
 * operator, whatever else stands beside it; only a licence of supplies alone is a supplier's. An activity that is not in
 * either list leaves it open (an external lottery manager runs lotteries for the societies that hold them).
 */

/** Software, machines, and games hosted for other operators: sold to the trade. */
const supplies = /\bsoftware\b|\bmachine technical\b|\bhost\b/

const operations =
  /^(?:casino|bingo|pool betting|general betting|betting intermediary|society lottery|local authority lottery|gaming machine general)\b/

export function roleOfActivities(activities: readonly string[]): 'operator' | 'supplier' | null {
  const roles = activities.map(activity => {
    const text = activity.trim().replaceAll(/\s+/g, ' ').toLowerCase()
    if (supplies.test(text)) return 'supplier'
    return operations.test(text) ? 'operator' : null
  })
  if (roles.includes('operator')) return 'operator'
  return roles.length > 0 && roles.every(role => role === 'supplier') ? 'supplier' : null
}
