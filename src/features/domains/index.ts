import { resolveDomain } from './resolve-domain.ts'
import { searchDomains } from './search-domains.ts'

export { markDatasetChanged, recomputeVerdicts, verifyListings, verifyVerdicts } from './verdict-store.ts'

export const domainOperations = [resolveDomain, searchDomains]
