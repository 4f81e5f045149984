import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, oneOf } from '../../core/schema.ts'
import { cursorCharactersMax } from '../paging.ts'
import { paidFields } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { listMarketEntries, listPlatformSites, listRegisterChanges } from '../signals/index.ts'
import { lookedUp, sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'
import { feedNames } from './show-feeds.ts'

const text = Type.Optional(Type.String({ maxLength: 500 }))
const day = Type.Optional(Type.String({ format: 'date' }))

const fields = Type.Object(
  {
    feed: oneOf(feedNames),
    market: text,
    platform: text,
    event_type: text,
    occurred_from: day,
    occurred_to: day,
    after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })),
    ...paidFields,
  },
  closed,
)

type Fields = { feed: (typeof feedNames)[number]; market?: string; platform?: string; event_type?: string }

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
  query: Type.Object({}, closed),
  form: fields,
  data: lookedUp,
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

/** Fields of the other feeds are not sent: the form has those of all three. */
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
