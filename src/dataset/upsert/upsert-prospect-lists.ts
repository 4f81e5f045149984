import { StaffError } from '../../core/staff-error.ts'
import { importProspectList } from '../../features/prospect-lists/index.ts'
import { nameStagedLists, readStagedLists } from '../stage/staged-lists-store.ts'
import { dropEarlierLines } from '../stage/staging-store.ts'
import { withSavepoint } from './accounts-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

export async function upsertProspectLists({ tx, now, reject }: UpsertContext): Promise<UpsertResult> {
  await nameStagedLists(tx)
  await dropEarlierLines(tx, 'staged_prospect_lists', ['key'])
  const result = { added: 0, changed: 0 }
  for await (const { position, ...record } of readStagedLists(tx)) {
    try {
      const outcome = await withSavepoint(tx, () => importProspectList(tx, record, now))
      if (outcome !== 'unchanged') result[outcome] += 1
    } catch (error) {
      if (!(error instanceof StaffError)) throw error
      reject('prospect_list', 1, [{ position, reason: error.message }])
    }
  }
  return result
}
