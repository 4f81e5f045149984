import { createEnrichment } from './create-enrichment.ts'
import { showEnrichment } from './show-enrichment.ts'

export {
  type AnsweredCheck,
  askForCheck,
  type CheckNeed,
  notCharged,
  readCheckNeed,
} from './ask-for-check.ts'
export { CheckWaits } from './check-waits.ts'
export { type ClaimedCheck, findCheck, finishedChannel } from './checks-store.ts'
export { verifyChecks } from './enrichments-store.ts'
export { claimCheck, failLostChecks, finishCheck } from './finish-check.ts'
export { reserveOwnCredits } from './reserve-credits.ts'
export { enrichmentParams } from './schemas.ts'
export { checkTask, startBackgroundCheck, startUnpaidCheck } from './start-check.ts'
export { createEnrichment, showEnrichment }

export const enrichmentOperations = [createEnrichment, showEnrichment]
