import { resolveCompany } from './resolve/resolve-company.ts'
import { companySearch } from './search/company-search.ts'

export { resolveCompany }

export const companyOperations = [companySearch.preview, companySearch.search, resolveCompany]

export type { Identity } from './company-store.ts'
export { deriveCompanies, filedNames, verifyCompanies } from './derive-companies-store.ts'
export {
  type MergeReport,
  mergeCompanies,
  replayMerge,
} from './merge-companies.ts'
export { showCompany } from './show-company.ts'
export { replaySplit, type SplitReport, splitCompany } from './split-company.ts'
