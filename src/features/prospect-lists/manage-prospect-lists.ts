import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { requireAccount } from '../account/index.ts'
import { removeSuppressed } from '../people/index.ts'
import { withFactsLock } from '../staff-decision-store.ts'
import { readResult } from './read-result.ts'
import type { ProspectListResult } from './result-schema.ts'
import type { Cadence, ListStatus } from './schemas.ts'
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
  type StaffList,
} from './staff-lists-store.ts'

const listsShownMax = 500
const problemsShownMax = 5

export type CreatedList = { prospect_list_ref: string; status: 'requested'; cadence: Cadence }

/** A list that a customer asked staff for. */
export async function createProspectList(
  world: World,
  accountRef: string,
  { cadence, now }: { cadence: Cadence; now: Date },
): Promise<CreatedList> {
  const { id: accountId } = await requireAccount(world, accountRef)
  const { ref } = await world.database
    .transaction()
    .execute(tx => insertList(tx, { accountId, cadence, status: 'requested', requestedAt: now }))
  return { prospect_list_ref: ref, status: 'requested', cadence }
}

/** Says that somebody works on it. */
export function prepareProspectList(world: World, ref: string): Promise<StaffList> {
  return decideOn(world, ref, async (tx, list) => {
    if (list.status !== 'requested')
      throw new StaffError(`${ref} is ${list.status}; only a requested list can be prepared.`)
    await markPreparing(tx, list.id)
  })
}

export type DeliveredList = StaffList & {
  /** People of the file who are suppressed, and were kept out. */
  suppressed_contacts: number
}

/**
 * Hands a list over: from now on its client sees the result. What the file holds is checked against the closed schema of
 * §2.13; people who are suppressed stay out, and a target that is left without any.
 */
export async function deliverProspectList(
  world: World,
  ref: string,
  { result: delivered, now }: { result: unknown; now: Date },
): Promise<DeliveredList> {
  const result = requireResult(delivered)
  let suppressed = 0
  const list = await decideOn(world, ref, async (tx, held) => {
    if (held.status !== 'requested' && held.status !== 'preparing')
      throw new StaffError(`${ref} is ${held.status}; a requested or preparing list can be delivered.`)
    if (held.account_id === null)
      throw new StaffError(`${ref} belongs to no account yet; assign it first, so that somebody sees it.`)
    const kept = await removeSuppressed(tx, result)
    suppressed = kept.suppressed
    await markReady(tx, held.id, { result: kept.result, readyAt: now })
  })
  return { ...list, suppressed_contacts: suppressed }
}

function requireResult(delivered: unknown): ProspectListResult {
  const read = readResult(delivered)
  if (read.ok) return read.result
  const { problems } = read
  const rest = problems.length - problemsShownMax
  const told = problems.slice(0, problemsShownMax).join('; ')
  throw new StaffError(
    `The result does not fit the schema: ${told}${rest > 0 ? `; and ${rest} more problems` : ''}`,
  )
}

/** Takes a list away, from whatever it is: nobody but staff sees it any more. The people in it are deleted. */
export function cancelProspectList(world: World, ref: string): Promise<StaffList> {
  return decideOn(world, ref, async (tx, list) => {
    if (list.status === 'cancelled') throw new StaffError(`${ref} is cancelled already.`)
    await markCancelled(tx, list.id)
  })
}

/** Gives a list of the public form to the account of whoever asked. It is not taken from one account to another. */
export async function assignProspectList(world: World, ref: string, accountRef: string): Promise<StaffList> {
  const account = await requireAccount(world, accountRef)
  return decideOn(world, ref, async (tx, list) => {
    if (list.account_id !== null) throw new StaffError(`${ref} belongs to ${list.account_ref} already.`)
    if (list.status === 'cancelled') throw new StaffError(`${ref} is cancelled.`)
    await markAssigned(tx, list.id, account.id)
  })
}

export type StaffListQuery = { status?: ListStatus; account?: string; unassigned?: boolean }

export async function listProspectListsForStaff(
  world: World,
  { status, account, unassigned }: StaffListQuery,
): Promise<StaffList[]> {
  const filters = {
    ...(status === undefined ? {} : { status }),
    ...(account === undefined ? {} : { accountId: (await requireAccount(world, account)).id }),
    ...(unassigned === undefined ? {} : { unassigned }),
  }
  return readStaffLists(world.database, filters, listsShownMax)
}

export async function showProspectListToStaff(world: World, ref: string): Promise<StaffList> {
  const list = await findStaffList(world.database, ref)
  if (list === undefined) throw noList(ref)
  return list
}

/**
 * Does something to one list, and tells it afterwards. Alone among those who write facts, because a suppression is: who is
 * suppressed meanwhile is neither missed here nor there.
 */
async function decideOn(
  world: World,
  ref: string,
  act: (tx: Transaction, list: LockedList) => Promise<void>,
): Promise<StaffList> {
  return withFactsLock(world, async tx => {
    const held = await lockList(tx, ref)
    if (held === undefined) throw noList(ref)
    await act(tx, held)
    return (await findStaffList(tx, ref)) as StaffList
  })
}

function noList(ref: string): StaffError {
  return new StaffError(`There is no prospect list ${ref}.`)
}
