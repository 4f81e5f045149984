// A running instance: its claim on DATA_DIR and its database. serve.ts serves requests, work.ts runs jobs.
export { preparePartitions } from '../metering/housekeeping.ts'
export { connectionTo } from './directory/database.ts'
export { openSharedDatabase } from './directory/shared-database.ts'
export { operatorMessage } from './operator-message.ts'
