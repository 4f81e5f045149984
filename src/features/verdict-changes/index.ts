export { linkSignals } from './link-signals-store.ts'
export { verifyVerdictChanges } from './verify-verdict-changes-store.ts'
