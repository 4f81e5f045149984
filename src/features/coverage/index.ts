import { getCoverage } from './get-coverage.ts'

export { type MarketCounts, readMarketCounts } from './coverage-store.ts'
export { readCoverage, recordCoverage } from './get-coverage.ts'
export type { Coverage, CoveredMarket, CoveredStream } from './schemas.ts'

export const coverageOperations = [getCoverage]
