export { readFirmographics } from './firmographics-store.ts'
export { hasSource, refreshFirmographics, sourceReason } from './refresh-firmographics.ts'
export { type FirmographicsReason, firmographicsResult, refreshResult } from './schemas.ts'
export {
  type FreshnessRules,
  freshDaysDefault,
  isRefreshDue,
  type RefreshOutcome,
  serveFirmographics,
  showRefresh,
} from './serve-firmographics.ts'
export { stringifyFirmographics } from './stringify-firmographics.ts'
