export type * from './contract.ts'
export { facetCounts } from './count-facets.ts'
export { isAmong, searchRows } from './find-rows.ts'
export { type Identified, identify } from './identify.ts'
export * from './preview.ts'
export { requireKnownStatus } from './require-known-status.ts'
export { cachedPreview } from './result-cache.ts'
export {
  type CompletenessFacts,
  completenessMax,
  completenessWeights,
} from './rows/completeness.ts'
export { catchUpSearch, rebuildSearchRows } from './rows/rebuild-rows.ts'
export { facetFields } from './rows/search-row.ts'
export { type SearchDifference, verifySearchRows } from './rows/verify-rows.ts'
export * from './search-answer.ts'
export * from './search-input.ts'
