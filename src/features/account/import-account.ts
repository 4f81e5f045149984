import { isWellFormedKey } from '../../core/api-key.ts'
import { planNames } from '../../core/operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { Transaction } from '../../database/open.ts'
import type { Actor } from '../audit/index.ts'
import { findAccount, updateAccount } from './account-store.ts'
import { keyExists } from './key-store.ts'
import { checkedCredits } from './manage-accounts.ts'
import { addKey, grantWithin, openAccount, writePlan } from './recorded-changes.ts'

export type AccountRecord = {
  key: string
  name: string
  plan: string
  credits_granted: number | null
  api_key?: string
}

/**
 * Imports an account from an interchange file; a repeated import changes nothing. More credits than before
 * are granted. Fewer credits are refused, because credits never expire (§2.14).
 */
export async function importAccount(
  tx: Transaction,
  record: AccountRecord,
  by: Actor,
): Promise<'added' | 'changed' | 'unchanged'> {
  const plan = planNames.find(name => name === record.plan)
  if (plan === undefined) throw new StaffError(`plan must be one of ${planNames.join(', ')}`)
  const wanted = checkedCredits(plan, record.credits_granted)
  if (record.api_key !== undefined && !isWellFormedKey(record.api_key))
    throw new StaffError('api_key is not a valid key')
  const known = await findAccount(tx, record.key)
  let outcome: 'added' | 'changed' | 'unchanged' = 'unchanged'
  let accountId: number
  if (known === undefined) {
    const { key: importKey, name } = record
    accountId = (await openAccount(tx, { name, plan, creditsGranted: wanted, importKey }, by)).id
    outcome = 'added'
  } else {
    accountId = known.id
    if ((known.granted === null) !== (wanted === null))
      throw new StaffError('plan cannot change to or from internal')
    if (known.name !== record.name || known.plan !== plan) {
      const { name } = record
      const change = { name, before: known.plan, after: plan, reason: 'import', now: new Date() }
      if (known.plan === plan) await updateAccount(tx, known.id, { name, plan })
      else await writePlan(tx, known, change, by)
      outcome = 'changed'
    }
    const missing = (wanted ?? 0) - (known.granted ?? 0)
    if (missing < 0)
      throw new StaffError(`credits_granted must not be below the ${known.granted} granted so far`)
    if (missing > 0) {
      await grantWithin(tx, known, { credits: missing, note: 'import' }, by)
      outcome = 'changed'
    }
  }
  if (record.api_key !== undefined && !(await keyExists(tx, record.api_key))) {
    await addKey(tx, { accountId, key: record.api_key, name: 'imported', expiresAt: null }, by)
    if (outcome === 'unchanged') outcome = 'changed'
  }
  return outcome
}
