import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { recordEvent } from '../audit/index.ts'
import {
  assignProspectList,
  cancelProspectList,
  countResult,
  deliverProspectList,
  listProspectListsForStaff,
  prepareProspectList,
  type StaffList,
} from '../prospect-lists/index.ts'
import { defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { asProblem } from './as-problem.ts'
import { readListedAccounts } from './staff-store.ts'

const listsPerPage = 25
const statusesOf = {
  open: ['requested', 'preparing'],
  ready: ['ready'],
  cancelled: ['cancelled'],
} as const
const states = ['open', 'ready', 'cancelled'] as const

const accountsMax = 200
const resultCharactersMax = 200_000

const requestList = Type.Object({
  lists: Type.Array(
    Type.Object({
      prospect_list_ref: Type.String(),
      account_ref: nullable(Type.String()),
      account_name: nullable(Type.String()),
      status: Type.String(),
      cadence: Type.String(),
      requested_at: instant(),
      ready_at: nullable(instant()),
      target_account_count: nullable(Type.Integer()),
      requested_by: Type.Unsafe<StaffList['requested_by']>({}),
    }),
  ),
  after: nullable(Type.String(), { description: 'For the next page. null: there is none.' }),
  accounts: Type.Array(Type.Object({ account_ref: Type.String(), name: Type.String() }), {
    description: `The latest ${accountsMax}, to choose from for lists without an account.`,
  }),
})
export type RequestList = Static<typeof requestList>

const listListRequests = defineSessionOperation({
  name: 'list_list_requests',
  method: 'GET',
  path: '/dashboard/staff/lists',
  access: 'staff',
  summary: 'Requests of prospect lists, the latest first',
  query: Type.Object(
    {
      state: oneOf(states, { default: 'open', description: 'open: staff have work to do.' }),
      after: Type.Optional(Type.String({ maxLength: 64 })),
    },
    closed,
  ),
  data: requestList,
  failures: [],
  async answer({ world }, { state = 'open', after }) {
    const filters = { status: statusesOf[state], ...(after !== undefined && { after }) }
    const lists = await listProspectListsForStaff(world, filters, listsPerPage + 1)
    const shown = lists.slice(0, listsPerPage)
    const areAssigned = state !== 'open' || shown.every(each => each.account_ref !== null)
    const accounts = areAssigned ? [] : await readListedAccounts(world.database, { limit: accountsMax })
    return {
      accounts: accounts.map(({ account_ref, name }) => ({ account_ref, name })),
      after: lists.length > listsPerPage ? (shown.at(-1)?.prospect_list_ref ?? null) : null,
      lists: shown.map(list => ({
        ...list,
        requested_at: list.requested_at.toISOString(),
        ready_at: list.ready_at?.toISOString() ?? null,
      })),
    }
  },
})

const params = Type.Object({ ref: Type.String({ maxLength: 64 }) }, closed)
const changed = Type.Object({ prospect_list_ref: Type.String() })

type Changed = { ref: string; action: string; parameter: string }

async function change(
  { world, session, now }: SessionContext,
  { ref, action, parameter }: Changed,
  work: () => Promise<StaffList>,
): Promise<{ prospect_list_ref: string }> {
  const list = await asProblem(parameter, work)
  await recordEvent(world.database, session, {
    action: `prospect_list.${action}`,
    subject: ref,
    accountId: null,
    details: { account: list.account_ref },
    now,
  })
  return { prospect_list_ref: ref }
}

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  query: Type.Object({}, closed),
  params,
  data: changed,
  failures: ['invalid_parameter' as const],
}

const assign = defineSessionOperation({
  ...declared,
  name: 'assign_list',
  path: '/dashboard/staff/lists/{ref}/assign',
  summary: 'Give a request of the public form to an account',
  form: Type.Object({ account_ref: Type.String({ minLength: 1, maxLength: 64 }) }, closed),
  answer: (context, { ref, account_ref: account }) =>
    change(context, { ref, action: 'assigned', parameter: 'account_ref' }, () =>
      assignProspectList(context.world, ref, account),
    ),
})

const prepare = defineSessionOperation({
  ...declared,
  name: 'prepare_list',
  path: '/dashboard/staff/lists/{ref}/prepare',
  summary: 'Begin with a list',
  form: Type.Object({}, closed),
  answer: (context, { ref }) =>
    change(context, { ref, action: 'prepared', parameter: 'ref' }, () =>
      prepareProspectList(context.world, ref),
    ),
})

const resultForm = Type.Object(
  { result: Type.String({ minLength: 1, maxLength: resultCharactersMax }) },
  closed,
)

const resultPreview = Type.Object({
  prospect_list_ref: Type.String(),
  target_accounts: Type.Integer(),
  contacts: Type.Integer(),
  result: Type.String(),
})
export type ResultPreview = Static<typeof resultPreview>

const check = defineSessionOperation({
  ...declared,
  name: 'check_list_result',
  path: '/dashboard/staff/lists/{ref}/check',
  summary: 'What the result of a list would deliver; changes nothing',
  form: resultForm,
  data: resultPreview,
  async answer(_context, { ref, result }) {
    const counts = await asProblem('result', async () => countResult(parsed(result)))
    return { prospect_list_ref: ref, ...counts, result }
  },
})

const deliver = defineSessionOperation({
  ...declared,
  name: 'deliver_list',
  path: '/dashboard/staff/lists/{ref}/deliver',
  summary: 'Deliver the result of a list, as JSON',
  form: resultForm,
  answer: (context, { ref, result }) =>
    change(context, { ref, action: 'delivered', parameter: 'result' }, () =>
      deliverProspectList(context.world, ref, { result: parsed(result), now: context.now }),
    ),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('invalid_parameter', {
      message: `The result is no JSON: ${(error as Error).message}`,
      details: { parameter: 'result' },
    })
  }
}

const cancel = defineSessionOperation({
  ...declared,
  name: 'cancel_list',
  path: '/dashboard/staff/lists/{ref}/cancel',
  summary: 'Cancel a list; only staff still see it',
  form: Type.Object({}, closed),
  answer: (context, { ref }) =>
    change(context, { ref, action: 'cancelled', parameter: 'ref' }, () =>
      cancelProspectList(context.world, ref),
    ),
})

export const listRequestOperations = [listListRequests, assign, prepare, check, deliver, cancel]
