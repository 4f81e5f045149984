import { resolveLicense } from './resolve-license.ts'
import { previewLicenses } from './search/preview-licenses.ts'
import { searchLicenses } from './search/search-licenses.ts'

export { coveredDomainsText, licensesOfNumber } from './resolutions-store.ts'
export { requireOneJurisdiction } from './resolve-license.ts'
export { findLicenseCard } from './search/license-card-store.ts'
export { sampleLicenses } from './search/license-filters.ts'
export type { LicenseHit, LicenseSample } from './search/license-hit.ts'
export { previewLicenses, resolveLicense, searchLicenses }

export const licenseOperations = [resolveLicense, previewLicenses, searchLicenses]
