import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import { findAccount } from '../account/index.ts'
import { removeSuppressed } from '../people/index.ts'
import { lockImportedList, type StoredList, sameResult, updateImported } from './imported-lists-store.ts'
import { type Cadence, type ListStatus, listStatuses } from './list-values.ts'
import type { ProspectListResult } from './result-schema.ts'
import { insertList } from './staff-lists-store.ts'

/** It has a result if, and only if, its status is ready. */
export type ProspectListRecord = {
  key: string
  account: string
  cadence: Cadence
  status: ListStatus
  requested_at: Date | null
  ready_at: Date | null
  result: ProspectListResult | null
}

/** Skips a line with an earlier status. Never replaces a delivered result. */
export async function importProspectList(
  tx: Transaction,
  record: ProspectListRecord,
  now: Date,
): Promise<'added' | 'changed' | 'unchanged'> {
  const account = await findAccount(tx, record.account)
  if (account === undefined) {
    const named = JSON.stringify(record.account)
    throw new StaffError(`account: no account with the key ${named} was loaded, before or in these files`)
  }
  const result = record.result === null ? null : (await removeSuppressed(tx, record.result)).result
  const stored = await lockImportedList(tx, record.key)
  if (stored === undefined) {
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
  if (stored.account_id !== account.id)
    throw new StaffError('account: the list with this key belongs to another account')
  if (listStatuses.indexOf(record.status) < listStatuses.indexOf(stored.status)) return 'unchanged'
  await requireSameResult(tx, stored, result)
  const changed = await updateImported(tx, stored.id, {
    cadence: record.cadence,
    status: record.status,
    requestedAt: record.requested_at,
    readyAt: record.ready_at ?? (record.status === 'ready' && stored.ready_at === null ? now : null),
    result,
  })
  return changed ? 'changed' : 'unchanged'
}

async function requireSameResult(
  tx: Transaction,
  stored: StoredList,
  result: ProspectListResult | null,
): Promise<void> {
  if (stored.status !== 'ready' || result === null || (await sameResult(tx, stored.id, result))) return
  throw new StaffError(
    'result: the list with this key was delivered with another result. ' +
      'Cancel that list and load this one under a new key.',
  )
}
