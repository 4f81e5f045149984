export type Sizes = {
  domains: number
  companies: number
  licenses: number
  entries: number
  observations: number
  usageRecords: number
}

/** Returns sizes in the proportions of the architecture's target size. */
export function sizesFor(domains: number, full: boolean): Sizes {
  const share = (ofMillion: number) => Math.max(1, Math.round((domains * ofMillion) / 1_000_000))
  return {
    domains,
    companies: share(100_000),
    licenses: share(250_000),
    entries: share(700_000),
    observations: share(5_000_000),
    usageRecords: full ? 10_000_000 : share(1_000_000),
  }
}

export const fullDomains = 1_000_000
export const defaultDomains = 20_000

export const regulators = 'poland czechia ukraine italy greece estonia france belgium'.split(' ')
export const jurisdictions = 'ukgc mga sweden denmark spain netherlands ontario curacao'.split(' ')
export const paymentCategories = 'card crypto ewallet bank_transfer open_banking local_apm'.split(' ')

export const domainOf = (number: number): string =>
  `${((number * 7919) % 1_000_003).toString(36)}-play${number}.com`
