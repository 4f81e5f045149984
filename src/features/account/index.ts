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
} from './account-statement.ts'
export { type AccountRow, accountFigures, anyAccountExists, findAccount } from './account-store.ts'
export { changePlan } from './change-plan.ts'
export { csvAttachment } from './csv-attachment.ts'
export { demoAccount, demoCaller } from './demo-account.ts'
export { KeyRing } from './key-ring.ts'
export { sumLedgerDays, verifyLedgerDays } from './ledger-days-store.ts'
export type { UsageList } from './list-usage.ts'
export {
  type AccountRecord,
  accountNameCharactersMax,
  accountsListedMax,
  createAccount,
  createKey,
  grantCredits,
  grantOnce,
  importAccount,
  listAccountKeys,
  listAccounts,
  listPlanChanges,
  requireAccount,
  revokeKey,
} from './manage-accounts.ts'
export type { CreatedOwnKey, KeyList } from './own-keys.ts'
export { recentDays } from './recent-days.ts'
export { accountData } from './show-account.ts'
export type { Overview } from './show-overview.ts'
export type { Statement } from './show-statement.ts'
export { recentUsage, type UsageRecord, usageOverview } from './show-usage.ts'
export type { UsageWithBill } from './show-usage-record.ts'
export type { ShownUsage } from './shown-usage.ts'
export { statementCsv } from './statement-csv.ts'
export type { Days } from './statement-store.ts'
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
