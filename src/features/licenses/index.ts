import { resolveLicense } from './resolve-license.ts'
import { previewLicenses } from './search/preview-licenses.ts'
import { searchLicenses } from './search/search-licenses.ts'

export { findLicensesOfNumber } from './find-licenses.ts'

export const licenseOperations = [resolveLicense, previewLicenses, searchLicenses]
