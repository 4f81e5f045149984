/**
 * Derives operator or supplier from the activities of a licence. One activity that faces players makes an
 * operator; supplies only make a supplier. An activity in neither list leaves it open (such as external
 * lottery managers).
 */

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
