import { StaffError } from '../../core/staff-error.ts'
import { type AccountRecord, importAccount } from '../../features/account/index.ts'
import { aCommand } from '../../features/audit/index.ts'
import { dropEarlierLines } from '../stage/staging-store.ts'
import { readStagedAccounts, type StagedAccount, withSavepoint } from './accounts-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * Upserts accounts through their feature, because only it may move money. A grant that it rejects is a bad
 * line.
 */
export async function upsertAccounts({ tx, reject }: UpsertContext): Promise<UpsertResult> {
  await dropEarlierLines(tx, 'staged_accounts', ['key'])
  const result = { added: 0, changed: 0 }
  for await (const staged of readStagedAccounts(tx)) {
    try {
      const outcome = await withSavepoint(tx, () => importAccount(tx, accountRecord(staged), aCommand))
      if (outcome !== 'unchanged') result[outcome] += 1
    } catch (error) {
      if (!(error instanceof StaffError)) throw error
      reject('account', 1, [{ position: staged.position, reason: error.message }])
    }
  }
  return result
}

function accountRecord({ position: _, api_key, ...account }: StagedAccount): AccountRecord {
  return api_key === null ? account : { ...account, api_key }
}
