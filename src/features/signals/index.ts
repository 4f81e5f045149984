import { listMarketEntries } from './list-market-entries.ts'
import { listPlatformSites } from './list-platform-sites.ts'
import { listRegisterChanges } from './list-register-changes.ts'

export { truthStateOf } from '../source-facts.ts'
export { addPlatformSignals, previewPlatformSignals } from './add-platform-signals.ts'
export { correctSignals } from './corrections-store.ts'
export type { FeedName, RegisterChangeDraft } from './draft.ts'
export { feedNames } from './draft.ts'
export { readFeedOverview } from './feed-overview-store.ts'
export { feedDays } from './feed-page.ts'
export { feedFailures, feedPageInput, nullableDay } from './feed-schemas.ts'
export { numberSignals } from './number-signals-store.ts'
export { findPlatformByKey, listPlatforms } from './platforms-store.ts'
export { retractSignals } from './retract-signals.ts'
export { replayReview, reviewPlatform } from './review-platform.ts'
export { readSignalDays, type SignalDay } from './signal-days-store.ts'
export { verifySignals } from './verify-signals-store.ts'

export { listMarketEntries, listPlatformSites, listRegisterChanges }

export const signalOperations = [listMarketEntries, listPlatformSites, listRegisterChanges]
