import { listVerdictChanges } from './list-verdict-changes.ts'

export { linkSignals } from './link-signals-store.ts'
export { verifyVerdictChanges } from './verify-verdict-changes-store.ts'

export const verdictChangeOperations = [listVerdictChanges]
