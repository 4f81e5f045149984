import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import { type AccountRecord, importAccount } from '../../features/account/index.ts'
import { keepLastLines } from '../stage/staging-store.ts'
import { readStagedAccounts, type StagedAccount, withSavepoint } from './accounts-store.ts'
import type { UpsertResult } from './upsert-staged.ts'

/**
 * Accounts one by one, through the door of their feature, because money moves there and nowhere else. One that cannot
 * be carried out (fewer credits than were granted) is a bad line like any other.
 */
export async function upsertAccounts(
  tx: Transaction,
  refuse: (position: number, reason: string) => void,
): Promise<UpsertResult> {
  await keepLastLines(tx, 'staged_accounts', ['key'])
  const merged = { added: 0, changed: 0 }
  for await (const staged of readStagedAccounts(tx)) {
    try {
      const outcome = await withSavepoint(tx, () => importAccount(tx, accountRecord(staged)))
      if (outcome !== 'unchanged') merged[outcome] += 1
    } catch (error) {
      if (!(error instanceof StaffError)) throw error
      refuse(staged.position, error.message)
    }
  }
  return merged
}

function accountRecord({ position: _, api_key, ...account }: StagedAccount): AccountRecord {
  return api_key === null ? account : { ...account, api_key }
}
