import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import { findAccount } from '../account/index.ts'
import { removeSuppressed } from '../people/index.ts'
import {
  lockImportedList,
  type StoredProspectList,
  sameResult,
  updateImported,
} from './prospect-list-store.ts'
import type { ProspectListResult } from './result-schema.ts'
import { type Cadence, isDeliveredAgain, type ListStatus, listStatuses } from './schemas.ts'
import { insertList } from './staff-lists-store.ts'

/** A prospect list in an interchange file. It has a result if, and only if, its status is ready. */
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
 * Imports a list. A line with an earlier status is skipped, and so is an earlier result of a weekly or
 * continuous list. The result of a one_time list is never replaced.
 */
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
  const isOtherResult =
    stored.status === 'ready' && result !== null && !(await sameResult(tx, stored.id, result))
  if (isOtherResult && isEarlier(record, stored)) return 'unchanged'
  if (isOtherResult && !isDeliveredAgain(record.cadence)) throw anotherResult()
  const changed = await updateImported(tx, stored.id, {
    cadence: record.cadence,
    status: record.status,
    requestedAt: record.requested_at,
    readyAt: record.ready_at ?? (isOtherResult || isFirstDelivery(record, stored) ? now : null),
    result,
  })
  return changed ? 'changed' : 'unchanged'
}

const isFirstDelivery = (record: ProspectListRecord, stored: StoredProspectList) =>
  record.status === 'ready' && stored.ready_at === null

/** An earlier delivery of a weekly or continuous list. */
const isEarlier = ({ cadence, ready_at }: ProspectListRecord, stored: StoredProspectList) =>
  isDeliveredAgain(cadence) && ready_at !== null && stored.ready_at !== null && ready_at < stored.ready_at

const anotherResult = () =>
  new StaffError(
    'result: the list with this key was delivered with another result. ' +
      'Cancel that list and load this one under a new key.',
  )
