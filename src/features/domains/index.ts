import { resolveDomain } from './resolve-domain.ts'
import { resolveDomains } from './resolve-domains.ts'
import { searchDomains } from './search-domains.ts'

export { readVerdictsThen } from './deliver-verdict-then.ts'
export { deriveFirstListed } from './derive-first-listed-store.ts'
export { deriveObservations, verifyObservations } from './derive-observations-store.ts'
export { licenseFact } from './evidence-store.ts'
export { type ExplainedProfile, explainLaunchProfile } from './launch-profile/explain-launch-profile.ts'
export { lastRenderedLaunch, wasLive } from './launch-profile/launch-evidence-store.ts'
export { isEligible } from './launch-profile/licensees-store.ts'
export { evidenceValues } from './launch-profile/schema.ts'
export { countDomains, verifyListings } from './listings-store.ts'
export { companyBehind, currentlyObserved, findReviewedPlatform } from './observations-store.ts'
export { observeDomains } from './observe-domain.ts'
export { deriveObserved, verifyObserved } from './observed-store.ts'
export {
  type BlockedBy,
  blockedBy,
  type LicensedBy,
  licensedBy,
  noRecordMeaning,
  type ObservationSection,
  observationSections,
  observations,
  type Verdict,
  verdictWord,
} from './schemas.ts'
export { deriveVerdicts, type VerdictCause, verdictsFrom, verifyVerdicts } from './verdict-store.ts'
export { factsThen } from './verdicts-then-store.ts'

export { resolveDomain, searchDomains }

export const resolveDomainsName = resolveDomains.name

export const domainOperations = [resolveDomain, resolveDomains, searchDomains]
