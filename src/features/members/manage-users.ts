/** Changes users by the operator's commands. No page grants or removes staff. */

import type { Role } from '../../core/session-operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { requireAccount } from '../account/index.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { mailAddressOf } from './mail-address.ts'
import {
  deleteMembership,
  ensureUser,
  findUser,
  lockMembers,
  type Member,
  readMembers,
  readStaff,
  setMembership,
  setStaff,
  type User,
} from './member-store.ts'

type UserOfAccount = { accountRef: string; email: string }

/** Adds the user to the account, or changes the user's role. */
export async function addUser(
  world: World,
  { accountRef, email, role }: UserOfAccount & { role: Role },
): Promise<User> {
  const { id: accountId } = await requireAccount(world, accountRef)
  const address = requireAddress(email)
  const now = new Date()
  return world.database.transaction().execute(async tx => {
    const user = await ensureUser(tx, { email: address, now })
    const known = (await lockMembers(tx, accountId)).find(each => each.user_id === user.id)
    await setMembership(tx, { userId: user.id, accountId, role, now })
    const action = known === undefined ? 'member.added' : 'member.role_changed'
    const details = known === undefined ? { role } : { before: known.role, after: role }
    await recordAuditEvent(tx, null, {
      action,
      subject: user.user_ref,
      accountId,
      details: { email: address, ...details },
      now,
    })
    return user
  })
}

/** Removes the user from the account. The user's next request shows nothing of it. */
export async function removeUser(world: World, { accountRef, email }: UserOfAccount): Promise<void> {
  const { id: accountId } = await requireAccount(world, accountRef)
  const address = requireAddress(email)
  await world.database.transaction().execute(async tx => {
    const member = (await lockMembers(tx, accountId)).find(each => each.email === address)
    if (member === undefined) throw new StaffError(`${accountRef} has no user ${address}.`)
    await deleteMembership(tx, { userId: member.user_id, accountId })
    await recordAuditEvent(tx, null, {
      action: 'member.removed',
      subject: member.user_ref,
      accountId,
      details: { email: address, role: member.role },
      now: new Date(),
    })
  })
}

export async function listUsers(world: World, accountRef: string): Promise<Member[]> {
  return readMembers(world.database, (await requireAccount(world, accountRef)).id)
}

export const listStaff = (world: World): Promise<User[]> => readStaff(world.database)

/** Makes a user staff, who see all accounts' requests and reviews. This gives no role in any account. */
export async function grantStaff(world: World, email: string): Promise<User> {
  const address = requireAddress(email)
  const now = new Date()
  return world.database.transaction().execute(async tx => {
    const user = await ensureUser(tx, { email: address, now })
    await setStaff(tx, user.id, true)
    await recordAuditEvent(tx, null, staffEvent('staff.granted', user, now))
    return user
  })
}

export async function removeStaff(world: World, email: string): Promise<void> {
  const address = requireAddress(email)
  await world.database.transaction().execute(async tx => {
    const user = await findUser(tx, address)
    if (user === null || !user.is_staff) throw new StaffError(`${address} is not staff.`)
    await setStaff(tx, user.id, false)
    await recordAuditEvent(tx, null, staffEvent('staff.removed', user, new Date()))
  })
}

const staffEvent = (action: string, { user_ref, email }: User, now: Date) => ({
  action,
  subject: user_ref,
  accountId: null,
  details: { email },
  now,
})

function requireAddress(text: string): string {
  const address = mailAddressOf(text)
  if (address === null) throw new StaffError(`"${text}" must be an e-mail address.`)
  return address
}
