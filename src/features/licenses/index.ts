import { resolveLicense } from './resolve-license.ts'
import { previewLicenses } from './search/preview-licenses.ts'
import { searchLicenses } from './search/search-licenses.ts'

export { coveredDomainsText, licensesOfNumber } from './resolutions-store.ts'
export { requireOneJurisdiction } from './resolve-license.ts'

export { previewLicenses, resolveLicense }

export const licenseOperations = [resolveLicense, previewLicenses, searchLicenses]
