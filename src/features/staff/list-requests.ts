import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { dayMs } from '../../core/time.ts'
import {
  assignProspectList,
  canBeDelivered,
  cancelProspectList,
  countResult,
  deliverProspectList,
  listProspectListsForStaff,
  prepareProspectList,
  readListWork,
  resultOfPicked,
  type StaffList,
  showProspectListToStaff,
} from '../prospect-lists/index.ts'
import { type AnswerOf, defineSessionOperation, wrongField } from '../session-operation.ts'
import { asProblem } from './as-problem.ts'
import { readListedAccounts } from './staff-store.ts'

const listsPerPage = 25
const statusesOf = {
  open: ['requested', 'preparing'],
  ready: ['ready'],
  cancelled: ['cancelled'],
} as const
const states = ['open', 'ready', 'cancelled'] as const

const weekDays = 7
const accountsMax = 200
const resultCharactersMax = 200_000

const listListRequests = defineSessionOperation({
  name: 'list_list_requests',
  method: 'GET',
  path: '/dashboard/staff/lists',
  access: 'staff',
  summary: 'Requests of prospect lists, the latest first',
  query: closedObject({
    state: oneOf(states, {
      default: 'open',
      description: 'open: staff have work to do, also for weekly lists that were delivered a week ago.',
    }),
    after: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  failures: [],
  async answer({ world, now }, { state = 'open', after }) {
    const dueSince = new Date(now.getTime() - weekDays * dayMs)
    const filters = {
      status: statusesOf[state],
      ...(state === 'open' && { orDueSince: dueSince }),
      ...(after !== undefined && { after }),
    }
    const lists = await listProspectListsForStaff(world, filters, listsPerPage + 1)
    const shown = lists.slice(0, listsPerPage)
    const areAssigned = state !== 'open' || shown.every(each => each.account_ref !== null)
    const accounts = areAssigned ? [] : await readListedAccounts(world.database, { limit: accountsMax })
    return {
      lists: shown.map(list => ({
        ...list,
        requested_at: list.requested_at.toISOString(),
        ready_at: list.ready_at?.toISOString() ?? null,
        can_be_delivered: canBeDelivered(list),
      })),
      after: lists.length > listsPerPage ? (shown.at(-1)?.prospect_list_ref ?? null) : null,
      // The accounts that staff can choose for a list without an account.
      accounts: accounts.map(({ account_ref, name }) => ({ account_ref, name })),
    }
  },
})

export type RequestList = AnswerOf<typeof listListRequests>

const params = closedObject({ ref: Type.String({ maxLength: 64 }) })

async function change(
  ref: string,
  parameter: string,
  work: () => Promise<StaffList>,
): Promise<{ prospect_list_ref: string }> {
  await asProblem(parameter, work)
  return { prospect_list_ref: ref }
}

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  params,
  failures: ['invalid_parameter' as const],
}

const assign = defineSessionOperation({
  ...declared,
  name: 'assign_list',
  path: '/dashboard/staff/lists/{ref}/assign',
  summary: 'Give a request of the public form to an account',
  form: closedObject({ account_ref: Type.String({ minLength: 1, maxLength: 64 }) }),
  answer: ({ world, session: by }, { ref, account_ref: account }) =>
    change(ref, 'account_ref', () => assignProspectList(world, ref, account, by)),
})

const prepare = defineSessionOperation({
  ...declared,
  name: 'prepare_list',
  path: '/dashboard/staff/lists/{ref}/prepare',
  summary: 'Begin with a list',
  answer: ({ world, session: by }, { ref }) => change(ref, 'ref', () => prepareProspectList(world, ref, by)),
})

const showListWork = defineSessionOperation({
  name: 'show_list_work',
  method: 'GET',
  path: '/dashboard/staff/lists/{ref}',
  access: 'staff',
  summary: 'The people of Companies, from whom the result of a list is picked',
  params,
  query: closedObject({ q: Type.Optional(Type.String({ minLength: 2, maxLength: 200 })) }),
  failures: ['invalid_parameter', 'route_not_found', 'search_unavailable'],
  async answer({ world }, { ref, q }) {
    const list = await showProspectListToStaff(world, ref).catch(() => null)
    if (list === null) throw new Failure('route_not_found')
    const { requested_by, status, cadence } = list
    return { prospect_list_ref: ref, requested_by, status, cadence, ...(await readListWork(world, ref, q)) }
  },
})

export type ListWorkShown = AnswerOf<typeof showListWork>

const line = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })
const paragraph = Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' })

const resultForm = closedObject({ result: Type.String({ minLength: 1, maxLength: resultCharactersMax }) })

const check = defineSessionOperation({
  ...declared,
  name: 'check_list_result',
  path: '/dashboard/staff/lists/{ref}/check',
  summary: 'What the picked people would deliver; changes nothing',
  form: closedObject({
    'people[]': Type.Optional(Type.Array(Type.String({ maxLength: 140 }), { maxItems: 500 })),
    journey: line,
    summary: paragraph,
    executive_summary: paragraph,
  }),
  async answer({ world }, { ref, 'people[]': people = [], ...texts }) {
    return asProblem('people[]', async () => {
      const result = await resultOfPicked(world, { people, ...texts })
      return { prospect_list_ref: ref, ...countResult(result), result: JSON.stringify(result) }
    })
  },
})

export type ResultPreview = AnswerOf<typeof check>

const deliver = defineSessionOperation({
  ...declared,
  name: 'deliver_list',
  path: '/dashboard/staff/lists/{ref}/deliver',
  summary: 'Deliver the result of a list, as JSON',
  form: resultForm,
  answer: ({ world, session: by, now }, { ref, result }) =>
    change(ref, 'result', () => deliverProspectList(world, ref, { result: parsed(result), now, by })),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongField('result', `The result is no JSON: ${(error as Error).message}`)
  }
}

const cancel = defineSessionOperation({
  ...declared,
  name: 'cancel_list',
  path: '/dashboard/staff/lists/{ref}/cancel',
  summary: 'Cancel a list; only staff still see it',
  answer: ({ world, session: by }, { ref }) => change(ref, 'ref', () => cancelProspectList(world, ref, by)),
})

export const listRequestOperations = [listListRequests, showListWork, assign, prepare, check, deliver, cancel]
