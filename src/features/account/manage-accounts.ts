import { isWellFormedKey, newApiKey } from '../../core/api-key.ts'
import { type PlanName, planNames } from '../../core/operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { type Grant, grantInTransaction, isSettled } from '../../metering/ledger.ts'
import {
  type AccountRow,
  findAccount,
  insertAccount,
  type NewAccount,
  readAccounts,
  updateAccount,
} from './account-store.ts'
import { insertKey, type KeyRow, keyExists, listKeys, markRevoked } from './key-store.ts'
import { insertPlanChange, type PlanChange, readPlanChanges } from './plan-change-store.ts'

export type CreatedAccount = {
  account_ref: string
  name: string
  plan: PlanName
  credits_granted: number | null
}

/** Also the limit of an import, so that every dump can be imported. */
export const accountNameCharactersMax = 500

/** Creates an account with its first credits. Only plan `internal` has no quota. The name is trimmed. */
export function createAccount(world: World, account: Omit<NewAccount, 'importKey'>): Promise<CreatedAccount> {
  return world.database.transaction().execute(async tx => {
    const name = checkedName(account.name)
    const creditsGranted = checkedCredits(account.plan, account.creditsGranted)
    const { account_ref } = await insertAccount(tx, { ...account, name, creditsGranted })
    return { account_ref, name, plan: account.plan, credits_granted: creditsGranted }
  })
}

function checkedName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > accountNameCharactersMax)
    throw new StaffError(`An account name must have 1 to ${accountNameCharactersMax} characters.`)
  return name
}

function checkedCredits(plan: PlanName, credits: number | null): number | null {
  if (plan === 'internal') return null
  if (credits === null) throw new StaffError('Credits are required: only plan internal has no quota.')
  if (!Number.isSafeInteger(credits) || credits < 0)
    throw new StaffError('Credits must be a whole number, 0 or more.')
  return credits
}

export function grantCredits(
  world: World,
  accountRef: string,
  credits: number,
  note: string,
): Promise<AccountRow> {
  return grantOnce(world, accountRef, { credits, note })
}

type Once = Grant & { also?: (tx: Transaction) => Promise<void> }

/** With a `settlementId` that was used, nothing happens; `also` runs in the transaction of the grant. */
export async function grantOnce(
  world: World,
  accountRef: string,
  { also, ...grant }: Once,
): Promise<AccountRow> {
  if (!Number.isSafeInteger(grant.credits) || grant.credits < 1)
    throw new StaffError('Credits must be a whole number, 1 or more.')
  const account = await requireAccount(world, accountRef)
  if (account.granted === null) throw new StaffError(`${accountRef} is internal and has no quota.`)
  await world.database.transaction().execute(async tx => {
    if (grant.settlementId !== undefined && (await isSettled(tx, grant.settlementId))) return
    await grantWithin(tx, account.id, grant)
    await also?.(tx)
  })
  return requireAccount(world, accountRef)
}

/** Settling checks the limit, so that simultaneous grants cannot exceed it. */
async function grantWithin(tx: Transaction, accountId: number, grant: Grant): Promise<void> {
  const { outcome, granted } = await grantInTransaction(tx, accountId, grant)
  if (outcome === 'beyond_bounds')
    throw new StaffError(
      `An account can be granted at most ${Number.MAX_SAFE_INTEGER} credits, and has ${granted}; ` +
        'nothing was added.',
    )
}

export async function requireAccount(world: World, accountRef: string): Promise<AccountRow> {
  const account = await findAccount(world.database, accountRef)
  if (account === undefined) throw new StaffError(`There is no account ${accountRef}.`)
  return account
}

export const accountsListedMax = 1_000

/** `after`: the last account of the previous list. */
export async function listAccounts(
  world: World,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<AccountRow[]> {
  if (limit < 1 || limit > accountsListedMax)
    throw new StaffError(`A list must have 1 to ${accountsListedMax} accounts.`)
  const afterId = after === undefined ? 0 : (await requireAccount(world, after)).id
  return readAccounts(world.database, afterId, limit)
}

/** Latest first. */
export async function listPlanChanges(world: World, accountRef: string): Promise<PlanChange[]> {
  return readPlanChanges(world.database, (await requireAccount(world, accountRef)).id)
}

export type CreatedKey = { key_ref: string; api_key: string }

export async function createKey(
  world: World,
  accountRef: string,
  options: { name?: string | null; expiresAt?: Date | null } = {},
): Promise<CreatedKey> {
  const account = await requireAccount(world, accountRef)
  const key = newApiKey()
  const keyRef = await insertKey(world.database, {
    accountId: account.id,
    key,
    name: options.name ?? null,
    expiresAt: options.expiresAt ?? null,
  })
  return { key_ref: keyRef, api_key: key }
}

export async function listAccountKeys(world: World, accountRef: string): Promise<KeyRow[]> {
  const account = await requireAccount(world, accountRef)
  return listKeys(world.database, account.id)
}

/** Every process refuses the key within 5 seconds. */
export async function revokeKey(world: World, keyRef: string): Promise<void> {
  if (!(await markRevoked(world.database, keyRef, new Date())))
    throw new StaffError(`There is no key ${keyRef}.`)
}

export type AccountRecord = {
  key: string
  name: string
  plan: string
  credits_granted: number | null
  api_key?: string
}

/**
 * Imports an account of an interchange file. Additional credits are granted; fewer than before are refused,
 * because credits never expire (§2.14). Importing it again changes nothing.
 */
export async function importAccount(
  tx: Transaction,
  record: AccountRecord,
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
    const added = await insertAccount(tx, {
      name: record.name,
      plan,
      creditsGranted: wanted,
      importKey: record.key,
    })
    accountId = added.id
    outcome = 'added'
  } else {
    accountId = known.id
    if ((known.granted === null) !== (wanted === null))
      throw new StaffError('plan cannot change to or from internal')
    if (known.name !== record.name || known.plan !== plan) {
      await updateAccount(tx, known.id, { name: record.name, plan })
      if (known.plan !== plan)
        await insertPlanChange(tx, {
          accountId: known.id,
          before: known.plan,
          after: plan,
          reason: 'import',
          changedAt: new Date(),
        })
      outcome = 'changed'
    }
    const missing = (wanted ?? 0) - (known.granted ?? 0)
    if (missing < 0)
      throw new StaffError(`credits_granted must not be below the ${known.granted} granted so far`)
    if (missing > 0) {
      await grantWithin(tx, known.id, { credits: missing, note: 'import' })
      outcome = 'changed'
    }
  }
  if (record.api_key !== undefined && !(await keyExists(tx, record.api_key))) {
    await insertKey(tx, { accountId, key: record.api_key, name: 'imported', expiresAt: null })
    if (outcome === 'unchanged') outcome = 'changed'
  }
  return outcome
}
