import { resolveLicense } from './resolve-license.ts'
import { previewLicenses } from './search/preview-licenses.ts'
import { searchLicenses } from './search/search-licenses.ts'

export { type FoundLicense, findLicensesByNumber } from './find-licenses-store.ts'

export const licenseOperations = [resolveLicense, previewLicenses, searchLicenses]
