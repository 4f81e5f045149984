import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { cursorCharactersMax, pageLinks, pagingOutput } from '../paging.ts'
import example from './list-prospect-lists.example.json' with { type: 'json' }
import { type ListPosition, readListPage } from './prospect-list-store.ts'
import { cadences, listMembers, visibleStatuses } from './schemas.ts'
import { metadataOf } from './show-prospect-list.ts'

const pageSizeMax = 50
const pageSizeDefault = 20
const feed = 'pl1'

export const listProspectLists = defineOperation({
  name: 'list_prospect_lists',
  method: 'GET',
  path: '/v1/prospect-lists',
  tag: 'Prospect lists',
  section: '§4.15',
  summary: 'List your prospect lists',
  description: `The prospect lists of your account, newest request first; ties are ordered by descending ref.
Lists are requested through a form, not through the API. The \`result\` is only returned for a single list.`,
  query: closedObject({
    status: Type.Optional(oneOf(visibleStatuses, { description: 'Only lists with this status.' })),
    cadence: Type.Optional(oneOf(cadences, { description: 'Only lists with this cadence.' })),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: cursorCharactersMax,
        description: 'The `next_cursor` of the previous page.',
      }),
    ),
    page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
  }),
  data: closedObject({
    prospect_lists: Type.Array(
      closedObject({
        ...listMembers,
        result: Type.Optional(
          Type.Null({ description: 'null before the list is ready; omitted for ready lists.' }),
        ),
      }),
    ),
    ...pagingOutput,
  }),
  prices: [],
  failures: ['invalid_cursor', 'cursor_filter_mismatch'],
  demo: [],
  example,

  async quote({ world, caller }, { status, cadence, after, page_size: pageSize = pageSizeDefault }) {
    const scope = { feed, filters: { account: caller.accountRef, status, cadence } }
    const secret = await world.cursorSecret()
    const position = after === undefined ? null : listPositionOf(openCursor(scope, after, secret))
    const filters = { accountId: caller.accountId, status, cadence, after: position }
    const lists = await readListPage(world.database, filters, pageSize + 1)
    const page = lists.slice(0, pageSize)
    const last = lists.length > pageSize ? page.at(-1)?.position : undefined
    const data = {
      prospect_lists: page.map(({ list }) => ({
        ...metadataOf(list),
        ...(list.status === 'ready' ? {} : { result: null }),
      })),
      ...pageLinks(last === undefined ? null : sealCursor(scope, [last.requestedAt, last.ref], secret)),
    }
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

function listPositionOf([requestedAt, ref]: string[]): ListPosition {
  if (requestedAt === undefined || ref === undefined)
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return { requestedAt, ref }
}
