// What runs on a DATA_DIR, and its database; commands take it without the service. Serving is serve.ts, working work.ts.
export { preparePartitions } from '../metering/housekeeping.ts'
export { type Claim, claimDataDirectory } from './claim.ts'
export { connectionTo, type InstanceDatabase, openInstanceDatabase } from './database.ts'
export { operatorMessage } from './operator-message.ts'
export { findRunning, type RunningDatabase, type RunningInstance } from './running.ts'
export { openSharedDatabase } from './shared-database.ts'
