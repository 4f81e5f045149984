export { readFirmographics } from './firmographics-store.ts'
export { firmographicsResult } from './schemas.ts'
export { type FreshnessRules, freshDaysDefault, serveFirmographics } from './serve-firmographics.ts'
export { stringifyFirmographics } from './stringify-firmographics.ts'
