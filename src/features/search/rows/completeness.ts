/** The facts that `data_completeness` counts (docs/search.md). */
export type CompletenessFacts = {
  companyName: string | null
  legalEntity: string | null
  /** The country by ISO 3166-1 alpha-2; null if unknown. */
  country: string | null
  roles: readonly string[]
  brands: number
  domains: number
  licenses: number
  paymentMethods: number
  supplierBrands: number
  platforms: number
  geoHints: number
  observed: boolean
  firmographicsAvailable: boolean
  contactsAvailable: boolean
}

/** The weights in thousandths, 1,000 in total. Identity weighs more than observations. */
export const completenessWeights: Record<keyof CompletenessFacts, number> = {
  companyName: 120,
  legalEntity: 120,
  country: 80,
  roles: 80,
  domains: 120,
  licenses: 100,
  brands: 60,
  paymentMethods: 60,
  supplierBrands: 50,
  platforms: 40,
  geoHints: 30,
  observed: 40,
  firmographicsAvailable: 60,
  contactsAvailable: 40,
}

export const completenessMax = 1_000

export function completenessOf(known: CompletenessFacts): number {
  let sum = 0
  for (const [field, weight] of Object.entries(completenessWeights))
    if (isKnown(known[field as keyof CompletenessFacts])) sum += weight
  return sum
}

/** Returns true if a fact is known. The role `unknown` does not count. */
function isKnown(value: CompletenessFacts[keyof CompletenessFacts]): boolean {
  if (typeof value === 'object' && value !== null) return value.some(role => role !== 'unknown')
  return value !== null && value !== false && value !== 0 && value !== ''
}
