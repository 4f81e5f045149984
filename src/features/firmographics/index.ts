export { readFirmographics } from './firmographics-store.ts'
export { hasFirmographicsSource, refreshFirmographics, sourceReason } from './refresh-firmographics.ts'
export {
  type FirmographicsReason,
  firmographicsResult,
  refreshResult,
  stringifyFirmographics,
} from './schemas.ts'
export {
  areFirmographicsDue,
  type FreshnessRules,
  freshDaysDefault,
  type RefreshOutcome,
  serveFirmographics,
  showRefresh,
} from './serve-firmographics.ts'
