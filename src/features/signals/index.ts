import { listMarketEntries } from './list-market-entries.ts'
import { listPlatformSites } from './list-platform-sites.ts'
import { listRegisterChanges } from './list-register-changes.ts'

export { addPlatformSignals, type PlatformSignalCounts } from './add-platform-signals.ts'
export { correctSignals } from './correct-signals-store.ts'
export type {
  ChangeSet,
  PlatformSiteDraft,
  PublishedEntry,
  PublishedLicense,
  PublishedRecord,
  RecordKind,
  RegisterChangeContent,
  RegisterChangeDraft,
  RegisterEventType,
  SignalDraft,
} from './draft.ts'
export { registerEventTypes } from './draft.ts'
export { numberSignals } from './number-signals-store.ts'
export { type ListedPlatform, listPlatforms } from './platforms-store.ts'
export { type ReviewReport, replayReview, reviewPlatform } from './review-platform.ts'
export { type SignalDifference, verifySignals } from './verify-signals-store.ts'

export const signalOperations = [listMarketEntries, listPlatformSites, listRegisterChanges]
