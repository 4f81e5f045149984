export type * from './contract.ts'
export { countFacets } from './count-facets.ts'
export { type IdentifiedCompany, identify } from './identify.ts'
export { findCompaniesOfStem } from './identify-store.ts'
export {
  canonicalFilters,
  echoedFilters,
  filterInput,
  type SearchFilters,
  searchPageInput,
  textTakes,
  trimmedText,
} from './operations/filter-input.ts'
export { type FoundPage, findPage } from './operations/find-page.ts'
export {
  limitedCount,
  maskName,
  membersWriter,
  previewData,
  quotePreview,
  sampleCountMax,
  sampleRowsMax,
} from './operations/preview.ts'
export { quoteSearch, searchData, searchFailures, writerOf, writtenOfPage } from './operations/search-page.ts'
export { type Missed, notFoundExactly } from './operations/suggest-preview.ts'
export { type CompletenessFacts, completenessMax, completenessWeights } from './rows/completeness.ts'
export { catchUpSearch, rebuildSearchRows } from './rows/rebuild-rows.ts'
export { verifySearchRows } from './rows/verify-rows.ts'
export { isInResult, searchRows } from './search-rows.ts'
export { isWholeName } from './text/text-query.ts'
