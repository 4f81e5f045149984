import { getCoverage } from './get-coverage.ts'

export { readCoverage, recordCoverage } from './get-coverage.ts'
export type { Coverage, CoveredMarket, CoveredStream } from './schemas.ts'

export const coverageOperations = [getCoverage]
