import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closed, oneOf } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { cursorCharactersMax, pageLinks, pagingOutput } from '../paging.ts'
import example from './list-prospect-lists.example.json' with { type: 'json' }
import { type ListPosition, readListPage } from './prospect-list-store.ts'
import { cadences, listMembers, metadataOf, visibleStatuses } from './schemas.ts'

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
  description: `The lists that are prepared for the account that the key belongs to, the latest request first (by ref backwards where
several came at one moment). They are asked for through a form, never here. A result is only shown one list at a time.`,
  query: Type.Object(
    {
      status: Type.Optional(oneOf(visibleStatuses, { description: 'Lists of this status only.' })),
      cadence: Type.Optional(oneOf(cadences, { description: 'Lists of this cadence only.' })),
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: cursorCharactersMax,
          description: 'The `next_cursor` of the page before.',
        }),
      ),
      page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
    },
    closed,
  ),
  data: Type.Object(
    {
      prospect_lists: Type.Array(
        Type.Object(
          {
            ...listMembers,
            result: Type.Optional(
              Type.Null({
                description: 'null before the list is ready; of a ready one not in a list of lists.',
              }),
            ),
          },
          closed,
        ),
      ),
      ...pagingOutput,
    },
    closed,
  ),
  prices: [],
  failures: ['invalid_cursor', 'cursor_filter_mismatch'],
  demo: [],
  example,

  async quote({ world, caller }, { status, cadence, after, page_size: pageSize = pageSizeDefault }) {
    const scope = { feed, filters: { account: caller.accountRef, status, cadence } }
    const secret = await world.cursorSecret()
    const position = after === undefined ? null : positionOf(openCursor(scope, after, secret))
    const filters = { accountId: caller.accountId, status, cadence, after: position }
    const found = await readListPage(world.database, filters, pageSize + 1)
    const page = found.slice(0, pageSize)
    const last = found.length > pageSize ? page.at(-1)?.position : undefined
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

function positionOf([requestedAt, ref]: string[]): ListPosition {
  if (requestedAt === undefined || ref === undefined)
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return { requestedAt, ref }
}
