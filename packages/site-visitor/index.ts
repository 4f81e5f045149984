/** Visits a site as a check does: asks it, DNS, RDAP and a browser, and returns what each answered as captures. */
export { type FoundLogo, fetchLogo } from './fetch-logo.ts'
export { LargePlace } from './large-place.ts'
export { type LookTools, lookAtSite } from './look-at-site.ts'
export { type LookSettings, openRdapBootstrap, openVisitTools } from './open-visit-tools.ts'
