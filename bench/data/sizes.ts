export type Sizes = {
  domains: number
  companies: number
  licenses: number
  entries: number
  observations: number
  usageRecords: number
  /** Closed rows of each domain, and the snapshots that wrote them; 0: no history. */
  closedRows: number
}

/**
 * Returns sizes in the proportions of the architecture's target size. A world with history has hardly any
 * observations and usage, which no verdict reads.
 */
export function sizesFor(domains: number, full: boolean, closedRows = 0): Sizes {
  const share = (ofMillion: number) => Math.max(1, Math.round((domains * ofMillion) / 1_000_000))
  return {
    domains,
    companies: share(100_000),
    licenses: share(250_000),
    entries: share(700_000),
    observations: share(closedRows > 0 ? 1_000 : 5_000_000),
    usageRecords: closedRows > 0 ? 1 : full ? 10_000_000 : share(1_000_000),
    closedRows,
  }
}

export const fullDomains = 1_000_000
export const defaultDomains = 20_000

export const regulators = 'poland czechia ukraine italy greece estonia france belgium'.split(' ')
export const jurisdictions = 'ukgc mga sweden denmark spain netherlands ontario curacao'.split(' ')
export const paymentCategories = 'card crypto ewallet bank_transfer open_banking local_apm'.split(' ')

export const domainOf = (number: number): string =>
  `${((number * 7919) % 1_000_003).toString(36)}-play${number}.com`
