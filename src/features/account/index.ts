import { showAccount } from './show-account.ts'

export { type AccountRow, accountFigures, anyAccountExists } from './account-store.ts'
export { KeyRing } from './authenticate-key.ts'
export { demoAccount, demoCaller } from './demo-account.ts'
export {
  type AccountRecord,
  createAccount,
  createKey,
  grantCredits,
  importAccount,
  listAccountKeys,
  planNames,
  requireAccount,
  revokeKey,
  StaffError,
} from './manage-accounts.ts'
export { accountData } from './show-account.ts'

export const accountOperations = [showAccount]
