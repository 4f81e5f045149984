import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { planNames } from '../../core/operation.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import {
  type AccountRow,
  changePlan,
  findAccount,
  grantCredits,
  listAccountKeys,
  listPlanChanges,
} from '../account/index.ts'
import { listUsers } from '../members/index.ts'
import { newNonce, nonceField } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { asProblem } from './as-problem.ts'
import { readListedAccounts, readMailFailures } from './staff-store.ts'

const rowsPerPage = 50

const listAllAccounts = defineSessionOperation({
  name: 'list_all_accounts',
  method: 'GET',
  path: '/dashboard/staff/accounts',
  access: 'staff',
  summary: 'All accounts, the latest first',
  query: closedObject({
    q: Type.Optional(Type.String({ maxLength: 200 })),
    before: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  failures: [],
  async answer({ world }, { q: words, before }) {
    const [rows, mailFailures] = await Promise.all([
      readListedAccounts(world.database, { words, before, limit: rowsPerPage + 1 }),
      readMailFailures(world.database),
    ])
    const shown = rows.slice(0, rowsPerPage)
    return {
      accounts: shown.map(({ id: _, ...account }) => account),
      before: rows.length > rowsPerPage ? (shown.at(-1)?.id ?? null) : null,
      mail_failures: mailFailures,
    }
  },
})

export type AccountList = AnswerOf<typeof listAllAccounts>

const params = closedObject({ account_ref: Type.String({ maxLength: 64 }) })

const showAccountForStaff = defineSessionOperation({
  name: 'show_account_for_staff',
  method: 'GET',
  path: '/dashboard/staff/accounts/{account_ref}',
  access: 'staff',
  summary: 'An account with its members, keys and plan changes',
  params,
  failures: ['route_not_found'],
  async answer({ world }, { account_ref: ref }) {
    const account = await requireKnown(world.database, ref)
    const [members, keys, changes] = await Promise.all([
      listUsers(world, ref),
      listAccountKeys(world, ref),
      listPlanChanges(world, ref),
    ])
    const iso = (at: Date | null) => at?.toISOString() ?? null
    const { account_ref, name, plan, granted, used, reserved } = account
    return {
      ...{ account_ref, name, plan, granted, used, reserved },
      members: members.map(({ email, role }) => ({ email, role })),
      keys: keys.map(key => ({
        name: key.name,
        last_four: key.last_four,
        created_at: key.created_at.toISOString(),
        last_used_at: iso(key.last_used_at),
        revoked_at: iso(key.revoked_at),
      })),
      plan_changes: changes.map(change => ({ ...change, changed_at: change.changed_at.toISOString() })),
      nonce: newNonce(),
    }
  },
})

export type StaffAccount = AnswerOf<typeof showAccountForStaff>

async function requireKnown(database: SessionContext['world']['database'], ref: string): Promise<AccountRow> {
  const account = await findAccount(database, ref)
  if (account === undefined) throw new Failure('route_not_found')
  return account
}

const grant = defineSessionOperation({
  name: 'grant_credits',
  method: 'POST',
  path: '/dashboard/staff/accounts/{account_ref}/grants',
  access: 'staff',
  stepUp: true,
  summary: 'Grant prepaid credits, once for each form',
  params,
  form: closedObject({
    credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    note: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    nonce: nonceField,
  }),
  failures: ['route_not_found', 'invalid_parameter'],
  async answer(context, { account_ref: ref, credits, note, nonce: settlementId }) {
    const { world, session } = context
    await requireKnown(world.database, ref)
    await asProblem('credits', () =>
      grantCredits(world, ref, {
        credits,
        note,
        settlementId,
        by: session,
      }),
    )
    return { account_ref: ref }
  },
})

const plan = defineSessionOperation({
  name: 'change_plan',
  method: 'POST',
  path: '/dashboard/staff/accounts/{account_ref}/plan',
  access: 'staff',
  stepUp: true,
  summary: 'Change the plan of an account',
  params,
  form: closedObject({
    plan: oneOf(planNames),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  }),
  failures: ['route_not_found', 'invalid_parameter'],
  async answer({ world, session, now }, { account_ref: ref, plan: wanted, reason }) {
    await requireKnown(world.database, ref)
    await asProblem('plan', () => changePlan(world, ref, { plan: wanted, reason, now, by: session }))
    return { account_ref: ref }
  },
})

export const staffAccountOperations = [listAllAccounts, showAccountForStaff, grant, plan]
