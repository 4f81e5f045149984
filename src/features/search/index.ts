export type * from './contract.ts'
export { facetCounts } from './count-facets.ts'
export { isAmong, searchRows } from './find-rows.ts'
export { type Identified, identify } from './identify.ts'
export * from './preview.ts'
export { requireKnownStatus } from './require-known-status.ts'
export { keptPreview } from './result-cache.ts'
export {
  completenessMax,
  completenessWeights,
  type KnownOfCompany,
} from './rows/completeness.ts'
export { catchUpSearch, keepSearchRows } from './rows/rebuild-rows.ts'
export { facetFields } from './rows/search-row.ts'
export { type SearchDifference, verifySearchRows } from './rows/verify-rows.ts'
export * from './search-answer.ts'
export * from './search-input.ts'
