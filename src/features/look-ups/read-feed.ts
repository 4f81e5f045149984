import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { cursorCharactersMax } from '../paging.ts'
import { paidFields } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import {
  type FeedName,
  feedNames,
  listMarketEntries,
  listPlatformSites,
  listRegisterChanges,
} from '../signals/index.ts'
import { sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

const text = Type.Optional(Type.String({ maxLength: 500 }))
const day = Type.Optional(Type.String({ format: 'date' }))

const fields = closedObject({
  feed: oneOf(feedNames),
  market: text,
  platform: text,
  event_type: text,
  occurred_from: day,
  occurred_to: day,
  after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })),
  ...paidFields,
})

type Fields = { feed: FeedName; market?: string; platform?: string; event_type?: string }

const operations = {
  register_changes: listRegisterChanges,
  market_entries: listMarketEntries,
  platform_sites: listPlatformSites,
}

export const readFeed = defineSessionOperation({
  name: 'read_feed',
  method: 'POST',
  path: '/dashboard/feeds',
  access: lookUpRoles,
  summary: 'The next Signals of a feed',
  form: fields,
  failures: [...listRegisterChanges.failures, 'missing_parameter', 'unknown_platform'],
  answer(context, { max_credits, nonce, occurred_from, occurred_to, after, ...sent }) {
    const { name, path } = operations[sent.feed]
    const page = { occurred_from, occurred_to, after }
    const given = Object.entries({ ...filtersOf(sent), ...page }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    )
    return sendLookUp(
      context,
      { operation: name, path, query: Object.fromEntries(given) },
      { max_credits, nonce },
    )
  },
})

/** Returns the fields of the chosen feed, because the form has the fields of all three. */
function filtersOf({ feed, market, platform, event_type }: Fields): Record<string, string | undefined> {
  switch (feed) {
    case 'register_changes':
      return { jurisdiction: chosen(market, 'market'), event_type }
    case 'market_entries':
      return { role: 'operator', market: chosen(market, 'market') }
    case 'platform_sites':
      return { role: 'operator', platform: chosen(platform, 'platform') }
  }
}

function chosen(value: string | undefined, parameter: string): string {
  if (value !== undefined) return value
  throw new Failure('missing_parameter', {
    message: `Choose a ${parameter}.`,
    details: { parameter, takes: `one of the ${parameter}s of the list` },
  })
}
