import { resolveLicense } from './resolve-license.ts'
import { previewLicenses } from './search/preview-licenses.ts'
import { searchLicenses } from './search/search-licenses.ts'

export { coveredDomainsText } from './covered-domains-store.ts'
export { requireOneJurisdiction } from './find-licenses.ts'
export { licensesOfNumber } from './find-licenses-store.ts'

export const licenseOperations = [resolveLicense, previewLicenses, searchLicenses]
