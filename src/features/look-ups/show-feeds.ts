import { findMarket } from '@baize/names'
import { Type } from 'typebox'
import { closedObject, oneOf } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { newNonce } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { feedNames, readFeedOverview, registerEventTypes } from '../signals/index.ts'
import { lookUpRoles } from './show-explorer.ts'

export const showFeeds = defineSessionOperation({
  name: 'show_feeds',
  method: 'GET',
  path: '/dashboard/feeds',
  access: lookUpRoles,
  summary: 'The feeds, with the state of their sources and the last change',
  query: closedObject({ feed: Type.Optional(oneOf(feedNames, { default: 'register_changes' })) }),
  failures: [],
  async answer({ world, now }) {
    const { feeds, streams, platforms } = await readFeedOverview(world.database, now)
    return {
      feeds,
      streams: streams.flatMap(shownStream),
      platforms,
      event_types: [...registerEventTypes],
      credits_per_signal: prices['signal.base'].credits,
      nonce: newNonce(),
    }
  },
})

export type FeedOverview = AnswerOf<typeof showFeeds>

type Stream = Awaited<ReturnType<typeof readFeedOverview>>['streams'][number]

/** Describes a stream of a market; imported records have no market. Reasons for quarantine are for staff. */
function shownStream({
  market,
  source_stream_key: stream,
  truth_state,
  last_confirmed_at,
  is_fetched,
}: Stream) {
  const name = findMarket(market)?.name
  if (name === undefined || stream === null) return []
  return [{ market: name, stream, truth_state, last_confirmed_at, is_fetched }]
}
