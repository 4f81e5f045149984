import { downloadUsage } from './download-usage.ts'
import { listUsage } from './list-usage.ts'
import { keyOperations } from './own-keys.ts'
import { showAccount } from './show-account.ts'
import { showOverview } from './show-overview.ts'
import { statementOperations } from './show-statement.ts'
import { showUsageRecord } from './show-usage-record.ts'

export {
  accountStatement,
  type StatementEntry,
  type StatementFoot,
  type StatementHead,
  type StatementReader,
  statementCsv,
} from './account-statement.ts'
export { type AccountRow, accountFigures, findAccount } from './account-store.ts'
export { changePlan, listPlanChanges } from './change-plan.ts'
export { recentDays } from './day-range.ts'
export { demoAccount, demoCaller } from './demo-account.ts'
export { eraseAccount } from './erase-account-store.ts'
export { type AccountRecord, importAccount } from './import-account.ts'
export { KeyRing } from './key-ring.ts'
export { sumLedgerDays, verifyLedgerDays } from './ledger-days-store.ts'
export type { UsageList } from './list-usage.ts'
export {
  accountNameCharactersMax,
  accountsListedMax,
  createAccount,
  createKey,
  grantCredits,
  listAccountKeys,
  listAccounts,
  requireAccount,
  revokeKey,
} from './manage-accounts.ts'
export type { CreatedOwnKey, KeyList } from './own-keys.ts'
export { accountData } from './show-account.ts'
export type { Overview } from './show-overview.ts'
export type { Statement } from './show-statement.ts'
export { recentUsage, type UsageRecord, usageOverview } from './show-usage.ts'
export type { UsageWithBill } from './show-usage-record.ts'
export type { ShownUsage } from './shown-usage.ts'
export type { StatementDays } from './statement-store.ts'
export { readUsageDays, sumUsageDays } from './usage-days-store.ts'

export const accountOperations = [showAccount]
export const accountSessionOperations = [
  showOverview,
  listUsage,
  downloadUsage,
  showUsageRecord,
  ...statementOperations,
  ...keyOperations,
]
