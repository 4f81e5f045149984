// A running instance: its claim on DATA_DIR and its database. serve.ts serves requests, work.ts runs jobs.
export { preparePartitions } from '../metering/housekeeping.ts'
export { type Claim, claimDataDirectory } from './claim.ts'
export { connectionTo } from './database.ts'
export { operatorMessage } from './operator-message.ts'
export { findRunning } from './running.ts'
export { openSharedDatabase } from './shared-database.ts'
