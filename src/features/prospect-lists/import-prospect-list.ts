import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import { findAccount } from '../account/index.ts'
import { removeSuppressed } from '../people/index.ts'
import { lockImportedList, type StoredList, sameResult, updateImported } from './imported-lists-store.ts'
import type { ProspectListResult } from './result-schema.ts'
import { type Cadence, type ListStatus, listStatuses } from './schemas.ts'
import { insertList } from './staff-lists-store.ts'

/** A line of an interchange file, checked: a result stands with status ready, and with it alone. */
export type ProspectListRecord = {
  key: string
  account: string
  cadence: Cadence
  status: ListStatus
  requested_at: Date | null
  ready_at: Date | null
  result: ProspectListResult | null
}

/**
 * Loads a list, for the account that the line names. Loading it twice changes nothing, and what staff have done with the
 * list since stays done: a line that says an earlier status is passed over. A delivered result is never replaced.
 */
export async function importProspectList(
  tx: Transaction,
  record: ProspectListRecord,
  now: Date,
): Promise<'added' | 'changed' | 'unchanged'> {
  const account = await findAccount(tx, record.account)
  if (account === undefined) {
    const named = JSON.stringify(record.account)
    throw new StaffError(`account: ${named} is the key of no account of these files or loaded before`)
  }
  const result = record.result === null ? null : (await removeSuppressed(tx, record.result)).result
  const held = await lockImportedList(tx, record.key)
  if (held === undefined) {
    await insertList(tx, {
      importKey: record.key,
      accountId: account.id,
      cadence: record.cadence,
      status: record.status,
      requestedAt: record.requested_at ?? record.ready_at ?? now,
      readyAt: record.status === 'ready' ? (record.ready_at ?? now) : record.ready_at,
      result,
    })
    return 'added'
  }
  if (held.account_id !== account.id)
    throw new StaffError('account: the list of this key is another account’s')
  if (listStatuses.indexOf(record.status) < listStatuses.indexOf(held.status)) return 'unchanged'
  await requireSameResult(tx, held, result)
  const changed = await updateImported(tx, held.id, {
    cadence: record.cadence,
    status: record.status,
    requestedAt: record.requested_at,
    readyAt: record.ready_at ?? (record.status === 'ready' && held.ready_at === null ? now : null),
    result,
  })
  return changed ? 'changed' : 'unchanged'
}

async function requireSameResult(
  tx: Transaction,
  held: StoredList,
  result: ProspectListResult | null,
): Promise<void> {
  if (held.status !== 'ready' || result === null || (await sameResult(tx, held.id, result))) return
  throw new StaffError(
    'result: the list of this key was delivered with another result; cancel that, and load this one under a new key',
  )
}
