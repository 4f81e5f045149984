import { resolveCompany } from './resolve/resolve-company.ts'
import { companySearch } from './search/company-search.ts'

export const companyOperations = [companySearch.preview, companySearch.search, resolveCompany]

export type { Identity } from './company-store.ts'
export { type CompanyDifference, deriveCompanies, verifyCompanies } from './derive-companies-store.ts'
export {
  type MergeDetail,
  type MergeReport,
  mergeCompanies,
  replayMerge,
} from './merge-companies.ts'
export { type CompanyHistory, showCompany } from './show-company.ts'
export { replaySplit, type SplitDetail, type SplitReport, splitCompany } from './split-company.ts'
