/** Changes of accounts. Each is recorded in its transaction, for pages, commands and imports alike. */
import type { PlanName } from '../../core/operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import { type Grant, grantInTransaction } from '../../metering/ledger.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { insertAccount, insertPlanChange, type NewAccount, updateAccount } from './account-store.ts'
import { insertKey, type NewKey } from './key-store.ts'

type AccountIds = { id: number; account_ref: string }

export async function openAccount(tx: Transaction, account: NewAccount, by: Actor): Promise<AccountIds> {
  const { id, account_ref } = await insertAccount(tx, account)
  const { name, plan, creditsGranted: credits } = account
  const event = { action: 'account.created', subject: account_ref, accountId: id, now: new Date() }
  await recordAuditEvent(tx, by, { ...event, details: { name, plan, credits } })
  return { id, account_ref }
}

/** The limit is checked by settling, so that simultaneous grants cannot exceed it. */
export async function grantWithin(
  tx: Transaction,
  { id, account_ref }: AccountIds,
  grant: Grant,
  by: Actor,
): Promise<void> {
  const { outcome, granted } = await grantInTransaction(tx, id, grant)
  if (outcome === 'beyond_bounds')
    throw new StaffError(
      `An account can be granted at most ${Number.MAX_SAFE_INTEGER} credits, and has ${granted}; ` +
        'nothing was added.',
    )
  const { credits, note } = grant
  const event = { action: 'credits.granted', subject: account_ref, accountId: id, now: new Date() }
  await recordAuditEvent(tx, by, { ...event, details: { credits, note } })
}

type PlanChange = { name: string; before: PlanName; after: PlanName; reason: string; now: Date }

export async function writePlan(
  tx: Transaction,
  { id, account_ref }: AccountIds,
  { name, before, after, reason, now }: PlanChange,
  by: Actor,
): Promise<void> {
  await updateAccount(tx, id, { name, plan: after })
  await insertPlanChange(tx, { accountId: id, before, after, reason, changedAt: now })
  const event = { action: 'plan.changed', subject: account_ref, accountId: id, now }
  await recordAuditEvent(tx, by, { ...event, details: { before, after, reason } })
}

/** Returns the ref of the new key. */
export async function addKey(tx: Transaction, created: NewKey, by: Actor): Promise<string> {
  const keyRef = await insertKey(tx, created)
  const { accountId, name, key } = created
  const event = { action: 'key.created', subject: keyRef, accountId, now: new Date() }
  await recordAuditEvent(tx, by, { ...event, details: { name, last_four: key.slice(-4) } })
  return keyRef
}
