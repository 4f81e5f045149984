/** Lists and changes the members of an account in the dashboard, for owners only. */
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { memberRoles } from '../../core/session-operation.ts'
import type { Transaction } from '../../database/open.ts'
import { recordAuditEvent } from '../audit/index.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
  wrongField,
} from '../session-operation.ts'
import { mailAddressOf } from './mail-address.ts'
import {
  deleteMembership,
  ensureUser,
  lockMembers,
  type Member,
  readMembers,
  setMembership,
} from './member-store.ts'

const membersMax = 200
const owners = ['owner'] as const

const listMembers = defineSessionOperation({
  name: 'list_members',
  method: 'GET',
  path: '/dashboard/members',
  access: owners,
  summary: 'The members of the account, with their roles',
  failures: [],
  async answer(context) {
    const rows = await readMembers(context.world.database, accountOf(context).accountId)
    return {
      members: rows.map(({ user_ref, email, name, role, created_at }) => ({
        user_ref,
        email,
        name,
        role,
        added_at: created_at.toISOString(),
        is_you: user_ref === context.session.userRef,
      })),
      members_max: membersMax,
    }
  },
})

export type MemberList = AnswerOf<typeof listMembers>

const addMember = defineSessionOperation({
  name: 'add_member',
  method: 'POST',
  path: '/dashboard/members',
  access: owners,
  stepUp: true,
  summary: 'Add a member by e-mail address',
  form: closedObject({ email: Type.String({ maxLength: 254 }), role: oneOf(memberRoles) }),
  failures: ['invalid_parameter'],
  async answer(context, { email: sent, role }) {
    const email = mailAddressOf(sent)
    if (email === null)
      throw wrongField('email', 'Enter a whole e-mail address, such as name@company.example.')
    await changeMembers(context, async (tx, members) => {
      if (members.some(each => each.email === email))
        throw wrongField('email', `${email} is a member already.`)
      if (members.length >= membersMax)
        throw wrongField('email', `An account has at most ${membersMax} members.`)
      const user = await ensureUser(tx, { email, now: context.now })
      const { accountId } = accountOf(context)
      await setMembership(tx, { userId: user.id, accountId, role, now: context.now })
      return { action: 'member.added', subject: user.user_ref, details: { email, role } }
    })
    return { email, role }
  },
})

const params = closedObject({ user_ref: Type.String({ maxLength: 64 }) })

const changeRole = defineSessionOperation({
  name: 'change_role',
  method: 'POST',
  path: '/dashboard/members/{user_ref}/role',
  access: owners,
  stepUp: true,
  summary: 'Give a member another role',
  params,
  form: closedObject({ role: oneOf(memberRoles) }),
  failures: ['route_not_found', 'invalid_parameter'],
  async answer(context, { user_ref: ref, role }) {
    await changeMembers(context, async (tx, members) => {
      const found = requireMember(members, ref)
      if (role !== 'owner') requireOtherOwner(members, found)
      const { accountId } = accountOf(context)
      await setMembership(tx, { userId: found.user_id, accountId, role, now: context.now })
      const details = { email: found.email, before: found.role, after: role }
      return { action: 'member.role_changed', subject: ref, details }
    })
    return { user_ref: ref, role }
  },
})

const removeMember = defineSessionOperation({
  name: 'remove_member',
  method: 'POST',
  path: '/dashboard/members/{user_ref}/remove',
  access: owners,
  stepUp: true,
  summary: 'Remove a member, whose open pages end at once',
  params,
  failures: ['route_not_found', 'invalid_parameter'],
  async answer(context, { user_ref: ref }) {
    await changeMembers(context, async (tx, members) => {
      const found = requireMember(members, ref)
      requireOtherOwner(members, found)
      await deleteMembership(tx, { userId: found.user_id, accountId: accountOf(context).accountId })
      return { action: 'member.removed', subject: ref, details: { email: found.email, role: found.role } }
    })
    return { user_ref: ref }
  },
})

type Change = { action: string; subject: string; details: Record<string, unknown> }

/** Runs changes of an account's members one after the other, so that one owner always remains. */
async function changeMembers(
  context: SessionContext,
  change: (tx: Transaction, members: readonly Member[]) => Promise<Change>,
): Promise<void> {
  const { accountId } = accountOf(context)
  const { session, now } = context
  await context.world.database.transaction().execute(async tx => {
    const members = await lockMembers(tx, accountId)
    await recordAuditEvent(tx, session, { ...(await change(tx, members)), accountId, now })
  })
}

/** Finds a member of the account. A member of another account is not found. */
function requireMember(members: readonly Member[], ref: string): Member {
  const found = members.find(each => each.user_ref === ref)
  if (found === undefined) throw new Failure('route_not_found')
  return found
}

function requireOtherOwner(members: readonly Member[], member: Member): void {
  if (member.role !== 'owner') return
  if (members.some(each => each.role === 'owner' && each.user_id !== member.user_id)) return
  throw wrongField('role', `${member.email} is the last owner. Make somebody else an owner first.`)
}

export const memberOperations = [listMembers, addMember, changeRole, removeMember]
