import { resolveDomain } from './resolve-domain.ts'
import { resolveDomains } from './resolve-domains.ts'
import { searchDomains } from './search-domains.ts'

export { deriveObservations, verifyObservations } from './derive-observations-store.ts'
export { wasLive } from './earlier-live-store.ts'
export { type ExplainedProfile, explainLaunchProfile } from './explain-launch-profile.ts'
export { evidenceValues } from './launch-profile.ts'
export {
  type ObservedField,
  type ObservedSection,
  type ObservedSectionFacts,
  observedSectionNames,
  observedSections,
} from './observation-sections.ts'
export { companyBehind, currentlyObserved } from './observations-store.ts'
export { observeDomains } from './observe-domain.ts'
export { deriveObserved, verifyObserved } from './observed-store.ts'
export { isEligible } from './operator-context-store.ts'
export { findReviewedPlatform } from './reviewed-platform-store.ts'
export {
  type BlockedBy,
  blockedBy,
  licensedBy,
  noRecordMeaning,
  type ObservationSection,
  observationSections,
  observations,
  type Verdict,
  verdictWord,
} from './schemas.ts'
export { deriveVerdicts } from './verdict-store.ts'
export { verifyListings } from './verify-listings-store.ts'
export { verifyVerdicts } from './verify-verdicts-store.ts'

export { resolveDomain }

export const domainOperations = [resolveDomain, resolveDomains, searchDomains]
