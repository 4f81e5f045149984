import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { planNames } from '../../core/operation.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import {
  type AccountRow,
  changePlan,
  findAccount,
  grantOnce,
  listAccountKeys,
  listPlanChanges,
} from '../account/index.ts'
import { recordEvent } from '../audit/index.ts'
import { listUsers } from '../members/index.ts'
import { newNonce, nonceField } from '../send-request.ts'
import { defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { asProblem } from './as-problem.ts'
import { readMailFailures } from './mail-failures-store.ts'
import { readListedAccounts } from './staff-store.ts'

const rowsPerPage = 50

const figures = {
  account_ref: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  granted: nullable(Type.Integer()),
  used: Type.Integer(),
  reserved: Type.Integer(),
}

const accountList = Type.Object({
  accounts: Type.Array(Type.Object({ ...figures, members: Type.Integer() })),
  before: nullable(Type.Integer()),
  mail_failures: nullable(
    Type.Object({ failed: Type.Integer(), retrying: Type.Integer(), last_error: Type.String() }),
    { description: 'Sign-in mails that the mail server did not take. null: none.' },
  ),
})
export type AccountList = Static<typeof accountList>

const listAllAccounts = defineSessionOperation({
  name: 'list_all_accounts',
  method: 'GET',
  path: '/dashboard/staff/accounts',
  access: 'staff',
  summary: 'All accounts, the latest first',
  query: Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 200 })),
      before: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    closed,
  ),
  data: accountList,
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

const staffAccount = Type.Object({
  ...figures,
  members: Type.Array(Type.Object({ email: Type.String(), role: Type.String() })),
  keys: Type.Array(
    Type.Object({
      name: nullable(Type.String()),
      last_four: Type.String(),
      created_at: instant(),
      last_used_at: nullable(instant()),
      revoked_at: nullable(instant()),
    }),
  ),
  plan_changes: Type.Array(
    Type.Object({
      plan_before: Type.String(),
      plan_after: Type.String(),
      reason: Type.String(),
      changed_at: instant(),
    }),
  ),
  nonce: Type.String(),
})
export type StaffAccount = Static<typeof staffAccount>

const params = Type.Object({ account_ref: Type.String({ maxLength: 64 }) }, closed)

const showAccountForStaff = defineSessionOperation({
  name: 'show_account_for_staff',
  method: 'GET',
  path: '/dashboard/staff/accounts/{account_ref}',
  access: 'staff',
  summary: 'An account with its members, keys and plan changes',
  query: Type.Object({}, closed),
  params,
  data: staffAccount,
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

async function requireKnown(database: SessionContext['world']['database'], ref: string): Promise<AccountRow> {
  const account = await findAccount(database, ref)
  if (account === undefined) throw new Failure('route_not_found')
  return account
}

const changed = Type.Object({ account_ref: Type.String() })

const grant = defineSessionOperation({
  name: 'grant_credits',
  method: 'POST',
  path: '/dashboard/staff/accounts/{account_ref}/grants',
  access: 'staff',
  stepUp: true,
  summary: 'Grant prepaid credits, once for each form',
  query: Type.Object({}, closed),
  params,
  form: Type.Object(
    {
      credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      note: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
      nonce: nonceField,
    },
    closed,
  ),
  data: changed,
  failures: ['route_not_found', 'invalid_parameter'],
  async answer(context, { account_ref: ref, credits, note, nonce: settlementId }) {
    const { world, session, now } = context
    const account = await requireKnown(world.database, ref)
    await asProblem('credits', () =>
      grantOnce(world, ref, {
        credits,
        note,
        settlementId,
        also: tx =>
          recordEvent(tx, session, {
            action: 'credits.granted',
            subject: ref,
            accountId: account.id,
            details: { credits, note },
            now,
          }),
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
  query: Type.Object({}, closed),
  params,
  form: Type.Object(
    { plan: oneOf(planNames), reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) },
    closed,
  ),
  data: changed,
  failures: ['route_not_found', 'invalid_parameter'],
  async answer({ world, session, now }, { account_ref: ref, plan: wanted, reason }) {
    const account = await requireKnown(world.database, ref)
    await asProblem('plan', () => changePlan(world, ref, { plan: wanted, reason, now }))
    await recordEvent(world.database, session, {
      action: 'plan.changed',
      subject: ref,
      accountId: account.id,
      details: { before: account.plan, after: wanted, reason },
      now,
    })
    return { account_ref: ref }
  },
})

export const staffAccountOperations = [listAllAccounts, showAccountForStaff, grant, plan]
