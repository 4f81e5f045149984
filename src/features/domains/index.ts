import { resolveDomain } from './resolve-domain.ts'
import { searchDomains } from './search-domains.ts'

export { lapseLicenses } from './lapse-licenses-store.ts'
export { deriveObserved, verifyObserved } from './observed-store.ts'
export { maxCredits } from './schemas.ts'
export { findReviewedPlatform } from './search-store.ts'
export {
  analyseFacts,
  deriveVerdicts,
  markDatasetChanged,
  recomputeVerdicts,
} from './verdict-store.ts'
export { verifyListings, verifyVerdicts } from './verify-verdicts-store.ts'

export const domainOperations = [resolveDomain, searchDomains]
