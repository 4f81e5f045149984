import { resolveLicense } from './resolve-license.ts'
import { licenseSearch } from './search/license-search.ts'

export { coveredDomainsText } from './covered-domains-store.ts'
export { requireOneJurisdiction } from './find-licenses.ts'
export { licensesOfNumber } from './find-licenses-store.ts'

export { resolveLicense }

export const licenseOperations = [resolveLicense, licenseSearch.preview, licenseSearch.search]
