export type * from './contract.ts'
export { facetCounts } from './count-facets.ts'
export { type Identified, identify } from './identify.ts'
export * from './operations/filter-input.ts'
export * from './operations/preview-answer.ts'
export { requireKnownStatus } from './operations/require-known-status.ts'
export * from './operations/search-answer.ts'
export { cachedPreview } from './result-cache.ts'
export {
  type CompletenessFacts,
  completenessMax,
  completenessWeights,
} from './rows/completeness.ts'
export { catchUpSearch, rebuildSearchRows } from './rows/rebuild-rows.ts'
export { facetFields } from './rows/search-row.ts'
export { type SearchDifference, verifySearchRows } from './rows/verify-rows.ts'
export { isAmong, searchRows } from './search-rows.ts'
