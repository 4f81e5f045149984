import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import { importProspectList } from '../../features/prospect-lists/index.ts'
import { nameStagedLists, readStagedLists } from '../stage/staged-lists-store.ts'
import { keepLastLines } from '../stage/staging-store.ts'
import { withSavepoint } from './accounts-store.ts'
import type { UpsertResult } from './upsert-staged.ts'

/** Lists one by one, through the door of their feature, once the accounts that they name are there. */
export async function upsertProspectLists(
  tx: Transaction,
  now: Date,
  refuse: (position: number, reason: string) => void,
): Promise<UpsertResult> {
  await nameStagedLists(tx)
  await keepLastLines(tx, 'staged_prospect_lists', ['key'])
  const merged = { added: 0, changed: 0 }
  for await (const { position, ...record } of readStagedLists(tx)) {
    try {
      const outcome = await withSavepoint(tx, () => importProspectList(tx, record, now))
      if (outcome !== 'unchanged') merged[outcome] += 1
    } catch (error) {
      if (!(error instanceof StaffError)) throw error
      refuse(position, error.message)
    }
  }
  return merged
}
