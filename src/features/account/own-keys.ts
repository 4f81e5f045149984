/** Shows and changes an account's keys in the dashboard. Only owners see and change them. */
import { Type } from 'typebox'
import { newApiKey } from '../../core/api-key.ts'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import type { Transaction } from '../../database/open.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { newNonce, nonceField } from '../send-request.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
  wrongField,
} from '../session-operation.ts'
import { recentDays } from './day-range.ts'
import { insertKey, markRevoked } from './key-store.ts'
import {
  findCreated,
  lockOwnKeys,
  markReplaced,
  type OwnKey,
  readOwnKeys,
  requestsSinceReplaced,
} from './own-keys-store.ts'
import { readUsageDays } from './usage-days-store.ts'

const keysMax = 100
const spendDays = 30
/** The length of a day, plus the minute by which `last_used_at` may be late. */
const quietMs = 24 * 3_600_000 + 60_000
const owners = ['owner'] as const

const listKeys = defineSessionOperation({
  name: 'list_keys',
  method: 'GET',
  path: '/dashboard/keys',
  access: owners,
  summary: 'The keys of the account, with their use',
  failures: [],
  async answer(context) {
    const { world, now } = context
    const { accountId } = accountOf(context)
    const [keys, days, since] = await Promise.all([
      readOwnKeys(world.database, accountId),
      readUsageDays(world.database, { accountId, ...recentDays(now, spendDays) }),
      requestsSinceReplaced(world.database, accountId),
    ])
    const byKey = Map.groupBy(days, day => day.key_id)
    const total = (id: number, of: 'requests' | 'credits') =>
      (byKey.get(id) ?? []).reduce((sum, day) => sum + day[of], 0)
    return {
      keys: keys.map(key => ({
        key_ref: key.key_ref,
        name: key.name,
        last_four: key.last_four,
        created_at: key.created_at.toISOString(),
        last_used_at: key.last_used_at?.toISOString() ?? null,
        expires_at: key.expires_at?.toISOString() ?? null,
        is_expired: isExpired(key, now),
        requests: total(key.id, 'requests'),
        credits: total(key.id, 'credits'),
        replaced_at: key.replaced_at?.toISOString() ?? null,
        requests_since_replaced: key.replaced_at === null ? null : (since.get(key.id) ?? 0),
        safe_to_delete: isQuiet(key, now),
      })),
      keys_max: keysMax,
      spend_days: spendDays,
      nonce: newNonce(),
    }
  },
})

export type KeyList = AnswerOf<typeof listKeys>

export const isExpired = ({ expires_at: expiresAt }: OwnKey, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now

/** Returns true if the key was replaced and last called more than a day ago. */
function isQuiet({ replaced_at: replacedAt, last_used_at: lastUsedAt }: OwnKey, now: Date): boolean {
  if (replacedAt === null) return false
  return now.getTime() - Math.max(replacedAt.getTime(), lastUsedAt?.getTime() ?? 0) > quietMs
}

export type CreatedOwnKey = {
  key_ref: string
  name: string | null
  /** The new key; null if the same form has created it before, because a key is shown once. */
  api_key: string | null
}

const createOwnKey = defineSessionOperation({
  name: 'create_key',
  method: 'POST',
  path: '/dashboard/keys',
  access: owners,
  stepUp: true,
  summary: 'Create a key, which is shown once',
  form: closedObject({
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    expires: Type.Optional(Type.String({ format: 'date' })),
    nonce: nonceField,
  }),
  failures: ['invalid_parameter'],
  answer: (context, { name, expires, nonce }) =>
    changeKeys(context, async (tx, keys) => {
      const expiresAt = expires === undefined ? null : new Date(`${expires}T00:00:00Z`)
      if (expiresAt !== null && expiresAt <= context.now)
        throw wrongField('expires', 'The key must expire on a day to come.')
      return create(context, tx, { name: name.trim(), expiresAt, nonce, keys })
    }),
})

const keyParams = closedObject({ key_ref: Type.String({ maxLength: 64 }) })

const rotateKey = defineSessionOperation({
  name: 'rotate_key',
  method: 'POST',
  path: '/dashboard/keys/{key_ref}/rotate',
  access: owners,
  stepUp: true,
  summary: 'Create a key that takes the place of another, which works until it is deleted',
  params: keyParams,
  form: closedObject({ nonce: nonceField }),
  failures: ['route_not_found', 'invalid_parameter'],
  answer: (context, { key_ref: ref, nonce }) =>
    changeKeys(context, async (tx, keys) => {
      const old = requireKey(keys, ref)
      const created = await create(context, tx, { name: old.name, expiresAt: null, nonce, keys })
      if (created.api_key === null) return created
      await markReplaced(tx, old.id, context.now)
      const details = { ...shown(old), new_key_ref: created.key_ref }
      await record(context, tx, { action: 'key.rotated', subject: ref, details })
      return created
    }),
})

const deleteKey = defineSessionOperation({
  name: 'delete_key',
  method: 'POST',
  path: '/dashboard/keys/{key_ref}/delete',
  access: owners,
  stepUp: true,
  summary: 'Delete a key: every process refuses it within 5 seconds',
  params: keyParams,
  failures: ['route_not_found'],
  answer: (context, { key_ref: ref }) =>
    changeKeys(context, async (tx, keys) => {
      const key = requireKey(keys, ref)
      await markRevoked(tx, ref, context.now)
      await record(context, tx, { action: 'key.deleted', subject: ref, details: shown(key) })
      return { key_ref: ref }
    }),
})

/** Runs changes of an account's keys one after the other. */
function changeKeys<Result>(
  context: SessionContext,
  change: (tx: Transaction, keys: readonly OwnKey[]) => Promise<Result>,
): Promise<Result> {
  const { accountId } = accountOf(context)
  return context.world.database
    .transaction()
    .execute(async tx => change(tx, await lockOwnKeys(tx, accountId)))
}

type Wanted = { name: string | null; expiresAt: Date | null; nonce: string; keys: readonly OwnKey[] }

async function create(
  context: SessionContext,
  tx: Transaction,
  { name, expiresAt, nonce, keys }: Wanted,
): Promise<CreatedOwnKey> {
  const { accountId } = accountOf(context)
  const before = await findCreated(tx, accountId, nonce)
  if (before !== undefined) return { ...before, api_key: null }
  if (keys.length >= keysMax)
    throw wrongField('name', `An account has at most ${keysMax} keys. Delete one first.`)
  const key = newApiKey()
  const keyRef = await insertKey(tx, { accountId, key, name, expiresAt, nonce })
  const details = shown({ name, last_four: key.slice(-4) })
  await record(context, tx, { action: 'key.created', subject: keyRef, details })
  return { key_ref: keyRef, name, api_key: key }
}

const shown = ({ name, last_four }: Pick<OwnKey, 'name' | 'last_four'>) => ({ name, last_four })

type Recorded = { action: string; subject: string; details: Record<string, unknown> }

function record(context: SessionContext, tx: Transaction, recorded: Recorded): Promise<void> {
  const { session, now } = context
  return recordAuditEvent(tx, session, { ...recorded, accountId: accountOf(context).accountId, now })
}

/** Finds a key of the account. A key of another account is not found. */
function requireKey(keys: readonly OwnKey[], ref: string): OwnKey {
  const found = keys.find(each => each.key_ref === ref)
  if (found === undefined)
    throw new Failure('route_not_found', { message: 'There is no such key; it may have been deleted.' })
  return found
}

export const keyOperations = [listKeys, createOwnKey, rotateKey, deleteKey]
