import { resolveDomain } from './resolve-domain.ts'
import { searchDomains } from './search-domains.ts'

export { deriveObserved, verifyObserved } from './observed-store.ts'
export {
  analyseFacts,
  deriveVerdicts,
  lapseLicenses,
  markDatasetChanged,
  recomputeVerdicts,
  verifyListings,
  verifyVerdicts,
} from './verdict-store.ts'

export const domainOperations = [resolveDomain, searchDomains]
