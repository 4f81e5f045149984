import { listVerdictChanges } from './list-verdict-changes.ts'

export { type ChangeRow, changeColumns, readVerdictSteps } from './changes-store.ts'
export { changesBilling, chargeChanges, describeChange, verdictChange } from './describe-change.ts'
export { linkSignals } from './link-signals-store.ts'
export { verifyVerdictChanges } from './verify-verdict-changes-store.ts'

export const verdictChangeOperations = [listVerdictChanges]
