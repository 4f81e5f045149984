export type * from './contract.ts'
export { countFacets } from './count-facets.ts'
export { type IdentifiedCompany, identify } from './identify.ts'
export { declareSearch } from './operations/declare-search.ts'
export {
  canonicalFilters,
  echoedFilters,
  filterInput,
  textTakes,
  trimmedText,
} from './operations/filter-input.ts'
export { type FoundPage, findPage } from './operations/find-page.ts'
export { maskName, sampleRowsMax } from './operations/preview-answer.ts'
export { writerOf } from './operations/search-answer.ts'
export type { SearchFilters } from './operations/search-declaration.ts'
export { type CompletenessFacts, completenessMax, completenessWeights } from './rows/completeness.ts'
export { catchUpSearch, rebuildSearchRows } from './rows/rebuild-rows.ts'
export { verifySearchRows } from './rows/verify-rows.ts'
export { isInResult, searchRows } from './search-rows.ts'
