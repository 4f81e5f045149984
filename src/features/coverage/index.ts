export {
  type Coverage,
  type CoveredMarket,
  type MarketState,
  readCoverage,
  recordCoverage,
} from './read-coverage.ts'
