import { newApiKey } from '../../core/api-key.ts'
import type { PlanName } from '../../core/operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { type Grant, isSettled } from '../../metering/ledger.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { type AccountRow, findAccount, type NewAccount, readAccounts } from './account-store.ts'
import { type KeyRow, listKeys, markRevoked } from './key-store.ts'
import { addKey, grantWithin, openAccount } from './recorded-changes.ts'

export type CreatedAccount = {
  account_ref: string
  name: string
  plan: PlanName
  credits_granted: number | null
}

/** The longest account name. Imports have the same limit, so that every dump can be imported. */
export const accountNameCharactersMax = 500

/** Creates an account with its first credits, and trims its name. Only plan `internal` has no quota. */
export function createAccount(
  world: World,
  { by, ...account }: Omit<NewAccount, 'importKey'> & { by?: Actor },
): Promise<CreatedAccount> {
  return world.database.transaction().execute(async tx => {
    const name = checkedName(account.name)
    const creditsGranted = checkedCredits(account.plan, account.creditsGranted)
    const { account_ref } = await openAccount(tx, { ...account, name, creditsGranted }, by)
    return { account_ref, name, plan: account.plan, credits_granted: creditsGranted }
  })
}

function checkedName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > accountNameCharactersMax)
    throw new StaffError(`An account name must have 1 to ${accountNameCharactersMax} characters.`)
  return name
}

export function checkedCredits(plan: PlanName, credits: number | null): number | null {
  if (plan === 'internal') return null
  if (credits === null) throw new StaffError('Credits are required: only plan internal has no quota.')
  if (!Number.isSafeInteger(credits) || credits < 0)
    throw new StaffError('Credits must be a whole number, 0 or more.')
  return credits
}

type NotedGrant = Grant & { by?: Actor }

/** Grants credits to an account. A `settlementId` that was used before grants nothing. */
export async function grantCredits(
  world: World,
  accountRef: string,
  { by, ...grant }: NotedGrant,
): Promise<AccountRow> {
  if (!Number.isSafeInteger(grant.credits) || grant.credits < 1)
    throw new StaffError('Credits must be a whole number, 1 or more.')
  const account = await requireAccount(world, accountRef)
  if (account.granted === null) throw new StaffError(`${accountRef} is internal and has no quota.`)
  await world.database.transaction().execute(async tx => {
    if (grant.settlementId !== undefined && (await isSettled(tx, grant.settlementId))) return
    await grantWithin(tx, account, grant, by)
  })
  return requireAccount(world, accountRef)
}

export async function requireAccount(world: World, accountRef: string): Promise<AccountRow> {
  const account = await findAccount(world.database, accountRef)
  if (account === undefined) throw new StaffError(`There is no account ${accountRef}.`)
  return account
}

export const accountsListedMax = 1_000

/** Lists accounts; `after` is the last account of the previous list. */
export async function listAccounts(
  world: World,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<AccountRow[]> {
  if (limit < 1 || limit > accountsListedMax)
    throw new StaffError(`A list must have 1 to ${accountsListedMax} accounts.`)
  const afterId = after === undefined ? 0 : (await requireAccount(world, after)).id
  return readAccounts(world.database, afterId, limit)
}

export type CreatedKey = { key_ref: string; api_key: string }

export async function createKey(
  world: World,
  accountRef: string,
  { name = null, expiresAt = null, by }: { name?: string | null; expiresAt?: Date | null; by?: Actor } = {},
): Promise<CreatedKey> {
  const { id: accountId } = await requireAccount(world, accountRef)
  const key = newApiKey()
  const keyRef = await world.database
    .transaction()
    .execute(tx => addKey(tx, { accountId, key, name, expiresAt }, by))
  return { key_ref: keyRef, api_key: key }
}

export async function listAccountKeys(world: World, accountRef: string): Promise<KeyRow[]> {
  const account = await requireAccount(world, accountRef)
  return listKeys(world.database, account.id)
}

/** Revokes a key. Every process refuses it within 5 seconds. */
export function revokeKey(world: World, keyRef: string, { by }: { by?: Actor } = {}): Promise<void> {
  return world.database.transaction().execute(async tx => {
    const now = new Date()
    const key = await markRevoked(tx, keyRef, now)
    if (key === undefined) throw new StaffError(`There is no key ${keyRef}.`)
    const { account_id: accountId, ...details } = key
    await recordAuditEvent(tx, by, { action: 'key.deleted', subject: keyRef, accountId, details, now })
  })
}
