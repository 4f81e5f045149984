export { findNamesakes } from './resolve/find-companies.ts'

import { resolveCompany } from './resolve/resolve-company.ts'
import { previewCompanies } from './search/preview-companies.ts'
import { searchCompanies } from './search/search-companies.ts'

export { previewCompanies, resolveCompany, searchCompanies }

export const companyOperations = [previewCompanies, searchCompanies, resolveCompany]

export type { Identity } from './company-store.ts'
export { deriveCompanies, filedNames, verifyCompanies } from './derive-companies-store.ts'
export { fillNameKeys } from './fill-name-keys-store.ts'
export { endGroup, listGroups, stateGroup } from './groups/state-group.ts'
export { keepDistinct, replayDistinct } from './keep-distinct.ts'
export { findCandidates } from './linking/candidates-store.ts'
export { readSides } from './linking/compare-sides-store.ts'
export { createSeekers } from './linking/holders-store.ts'
export { joinLinked } from './linking/join-linked.ts'
export { findParties } from './linking/link-holders.ts'
export { reviewLinks, writeLinks } from './linking/links-store.ts'
export { listDuplicates } from './list-duplicates.ts'
export {
  type MergeReport,
  mergeCompanies,
  replayMerge,
} from './merge-companies.ts'
export { findCompanyCard } from './search/company-card-store.ts'
export type { CompanyHit, CompanySample } from './search/company-hit.ts'
export { findCompanyRefs, sampleCompanies } from './search/identity-match.ts'
export { showCompany } from './show-company.ts'
export { replaySplit, type SplitReport, splitCompany } from './split-company.ts'
