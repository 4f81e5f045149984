export { readFirmographics } from './firmographics-store.ts'
export { type FirmographicsResult, firmographicsResult } from './schemas.ts'
export { type FreshnessAsked, freshDaysDefault, serveFirmographics } from './serve-firmographics.ts'
export { writeFirmographics } from './stringify-firmographics.ts'
