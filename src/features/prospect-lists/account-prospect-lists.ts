/** Shows and requests prospect lists in the dashboard, by the operations of the API. */
import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { attachmentOf, sendView } from '../send-request.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'
import { downloadProspectList } from './download-prospect-list.ts'
import { listProspectLists } from './list-prospect-lists.ts'
import { insertRequested, requestText } from './request-prospect-list.ts'
import { cadences, listParams } from './schemas.ts'
import { showProspectList } from './show-prospect-list.ts'
import { countRequested, readDeliveries } from './staff-lists-store.ts'

const roles = ['owner', 'member'] as const
/** The most requests of an account that may wait for staff at the same time. */
const requestsMax = 20

export type ListedProspectLists = Static<typeof listProspectLists.data>

const listAccountProspectLists = defineSessionOperation({
  name: 'list_account_prospect_lists',
  method: 'GET',
  path: '/dashboard/prospect-lists',
  access: roles,
  summary: 'The prospect lists of the account',
  query: closedObject({
    after: Type.Optional(Type.String({ maxLength: 1_024 })),
    request: Type.Optional(requestText),
  }),
  failures: listProspectLists.failures,
  answer: async (context, { request: _, ...query }) =>
    (await sendView(context, { operation: listProspectLists.name, query })) as ListedProspectLists,
})

const showAccountProspectList = defineSessionOperation({
  name: 'show_account_prospect_list',
  method: 'GET',
  path: '/dashboard/prospect-lists/{prospect_list_ref}',
  access: roles,
  summary: 'One prospect list, with its result',
  params: closedObject(listParams),
  failures: showProspectList.failures,
  async answer(context, params) {
    const shown = await sendView(context, { operation: showProspectList.name, params })
    const { accountId } = accountOf(context)
    const deliveries = await readDeliveries(context.world.database, accountId, params.prospect_list_ref)
    return { ...(shown as Static<typeof showProspectList.data>), deliveries }
  },
})

export type ShownProspectList = AnswerOf<typeof showAccountProspectList>

const downloadAccountProspectList = defineSessionOperation({
  name: 'download_account_prospect_list',
  method: 'GET',
  path: '/dashboard/prospect-lists/{prospect_list_ref}/download',
  access: roles,
  summary: 'A ready prospect list as CSV',
  query: downloadProspectList.query,
  params: closedObject(listParams),
  failures: downloadProspectList.failures,
  answer: async (context, { prospect_list_ref: ref, spreadsheet = false }) =>
    attachmentOf(
      await context.send({
        operation: downloadProspectList.name,
        query: { spreadsheet: String(spreadsheet) },
        params: { prospect_list_ref: ref },
      }),
    ),
})

const requestAccountProspectList = defineSessionOperation({
  name: 'request_account_prospect_list',
  method: 'POST',
  path: '/dashboard/prospect-lists',
  access: roles,
  summary: 'Request a prospect list',
  form: closedObject({ request: requestText, cadence: oneOf(cadences) }),
  failures: ['invalid_parameter'],
  async answer(context, { request, cadence }) {
    const { accountId } = accountOf(context)
    const { session, now, world } = context
    const ref = await world.database.transaction().execute(async tx => {
      if ((await countRequested(tx, accountId)) >= requestsMax) throw tooMany()
      const requested = {
        accountId,
        cadence,
        request,
        name: session.name ?? session.email,
        email: session.email,
        company: session.account?.name ?? '',
      }
      const inserted = await insertRequested(tx, requested, now)
      await recordAuditEvent(tx, session, {
        action: 'prospect_list.requested',
        subject: inserted,
        accountId,
        now,
      })
      return inserted
    })
    return { prospect_list_ref: ref }
  },
})

function tooMany(): Failure {
  return new Failure('invalid_parameter', {
    message: `${requestsMax} requests of your account wait for an answer already; that is the limit.`,
    details: { parameter: 'request', takes: `at most ${requestsMax} open requests` },
  })
}

export const prospectListSessionOperations = [
  listAccountProspectLists,
  showAccountProspectList,
  downloadAccountProspectList,
  requestAccountProspectList,
]
