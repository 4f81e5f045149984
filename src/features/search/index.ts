export {
  completenessMax,
  dataCompleteness,
  type KnownOfCompany,
} from './completeness.ts'
export type * from './contract.ts'
export { countRows, facetCounts, isAmong, searchRows } from './find-rows.ts'
export { type Identified, identify } from './identify.ts'
export { catchUpSearch, keepSearchRows } from './keep-rows.ts'
export { requireKnownStatus } from './license-status-filter.ts'
export * from './preview.ts'
export { keptPreview } from './remembered.ts'
export * from './search-answer.ts'
export * from './search-input.ts'
export { type SearchDifference, verifySearchRows } from './verify-rows.ts'
