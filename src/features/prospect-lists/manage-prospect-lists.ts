import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { requireAccount } from '../account/index.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { removeSuppressed } from '../people/index.ts'
import { withFactsLock } from '../staff-decision-store.ts'
import { memberPath, readResult } from './read-result.ts'
import type { ProspectListResult } from './result-schema.ts'
import { type Cadence, canBeDelivered } from './schemas.ts'
import {
  findStaffList,
  insertList,
  type LockedList,
  lockList,
  markAssigned,
  markCancelled,
  markPreparing,
  markReady,
  readStaffLists,
  type StaffFilters,
  type StaffList,
} from './staff-lists-store.ts'

const listsShownMax = 500
const problemsShownMax = 5

export type CreatedList = { prospect_list_ref: string; status: 'requested'; cadence: Cadence }

/** Creates a list that a customer requested from staff directly. */
export async function createProspectList(
  world: World,
  accountRef: string,
  { cadence, now, by }: { cadence: Cadence; now: Date; by?: Actor },
): Promise<CreatedList> {
  const { id: accountId } = await requireAccount(world, accountRef)
  return world.database.transaction().execute(async tx => {
    const { ref } = await insertList(tx, { accountId, cadence, status: 'requested', requestedAt: now })
    await recordAuditEvent(tx, by, { action: 'prospect_list.requested', subject: ref, accountId, now })
    return { prospect_list_ref: ref, status: 'requested', cadence }
  })
}

export function prepareProspectList(world: World, ref: string, by?: Actor): Promise<StaffList> {
  return changeList(world, { ref, action: 'prepared', by }, async (tx, list) => {
    if (list.status !== 'requested')
      throw new StaffError(`${ref} is ${list.status}. Only a requested list can be prepared.`)
    await markPreparing(tx, list.id)
  })
}

export type DeliveredList = StaffList & {
  suppressed_contacts: number
}

/**
 * Delivers a list, after validating its result (§2.13) and removing suppressed people. The result of a ready
 * weekly or continuous list is replaced.
 */
export async function deliverProspectList(
  world: World,
  ref: string,
  { result: delivered, now, by }: { result: unknown; now: Date; by?: Actor },
): Promise<DeliveredList> {
  const result = requireResult(delivered)
  let suppressed = 0
  const list = await changeList(world, { ref, action: 'delivered', by }, async (tx, stored) => {
    if (!canBeDelivered(stored)) {
      const which = 'a requested or preparing list, or a ready one that is weekly or continuous,'
      throw new StaffError(`${ref} is ${stored.status}. Only ${which} can be delivered.`)
    }
    if (stored.account_id === null)
      throw new StaffError(`${ref} belongs to no account yet. Assign it before delivery.`)
    const delivery = await removeSuppressed(tx, result)
    suppressed = delivery.suppressed
    await markReady(tx, stored.id, { result: delivery.result, readyAt: now })
  })
  return { ...list, suppressed_contacts: suppressed }
}

/**
 * Validates a result and counts what it would deliver. An invalid one throws a StaffError with the reason.
 */
export function countResult(delivered: unknown): { target_accounts: number; contacts: number } {
  const { target_accounts: targets } = requireResult(delivered)
  const contacts = targets.reduce((sum, each) => sum + each.key_contacts.length, 0)
  return { target_accounts: targets.length, contacts }
}

function requireResult(delivered: unknown): ProspectListResult {
  const read = readResult(delivered)
  const problems = read.ok ? emptyParts(read.result) : read.problems
  if (read.ok && problems.length === 0) return read.result
  const rest = problems.length - problemsShownMax
  const shown = problems.slice(0, problemsShownMax).join('; ')
  throw new StaffError(
    `The result does not fit the schema: ${shown}${rest > 0 ? `; and ${rest} more problems` : ''}`,
  )
}

/**
 * Returns the empty parts of a result. Only stored results may have some, because suppressions empty them.
 */
function emptyParts({ target_accounts: targets }: ProspectListResult): string[] {
  const missing = (...path: (string | number)[]) => `${memberPath(path)}: must have at least 1 item`
  if (targets.length === 0) return [missing('target_accounts')]
  return targets.flatMap(({ key_contacts: contacts }, target) =>
    contacts.flatMap(({ contact_channels: channels }, contact) =>
      channels.length > 0
        ? []
        : [missing('target_accounts', target, 'key_contacts', contact, 'contact_channels')],
    ),
  )
}

/** Cancels a list and deletes its result. Only staff still see the list. */
export function cancelProspectList(world: World, ref: string, by?: Actor): Promise<StaffList> {
  return changeList(world, { ref, action: 'cancelled', by }, async (tx, list) => {
    if (list.status === 'cancelled') throw new StaffError(`${ref} is already cancelled.`)
    await markCancelled(tx, list.id)
  })
}

/** Assigns a list from the public form to an account, once. */
export async function assignProspectList(
  world: World,
  ref: string,
  accountRef: string,
  by?: Actor,
): Promise<StaffList> {
  const account = await requireAccount(world, accountRef)
  return changeList(world, { ref, action: 'assigned', by }, async (tx, list) => {
    if (list.account_id !== null) throw new StaffError(`${ref} already belongs to ${list.account_ref}.`)
    if (list.status === 'cancelled') throw new StaffError(`${ref} is cancelled.`)
    await markAssigned(tx, list.id, account.id)
  })
}

export type StaffListQuery = Omit<StaffFilters, 'accountId'> & { account?: string }

export async function listProspectListsForStaff(
  world: World,
  { account, ...filters }: StaffListQuery,
  limit = listsShownMax,
): Promise<StaffList[]> {
  const ofAccount = account === undefined ? {} : { accountId: (await requireAccount(world, account)).id }
  return readStaffLists(world.database, { ...filters, ...ofAccount }, limit)
}

export async function showProspectListToStaff(world: World, ref: string): Promise<StaffList> {
  const list = await findStaffList(world.database, ref)
  if (list === undefined) throw noList(ref)
  return list
}

/** Changes a list under the facts lock, so that no concurrent suppression is missed. */
async function changeList(
  world: World,
  { ref, action, by }: { ref: string; action: string; by: Actor },
  change: (tx: Transaction, list: LockedList) => Promise<void>,
): Promise<StaffList> {
  return withFactsLock(world, async tx => {
    const locked = await lockList(tx, ref)
    if (locked === undefined) throw noList(ref)
    await change(tx, locked)
    const list = (await findStaffList(tx, ref)) as StaffList
    const accountId = locked.account_id
    const event = { action: `prospect_list.${action}`, subject: ref, accountId, now: new Date() }
    await recordAuditEvent(tx, by, { ...event, details: { account: list.account_ref } })
    return list
  })
}

function noList(ref: string): StaffError {
  return new StaffError(`Prospect list ${ref} does not exist.`)
}
