import { type Static, Type } from 'typebox'
import { findMarket, markets } from '../../core/markets.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { newNonce } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { readFeedOverview, registerEventTypes } from '../signals/index.ts'
import { truthState } from '../truth-state.ts'
import { lookUpRoles } from './show-explorer.ts'

export const feedNames = ['register_changes', 'market_entries', 'platform_sites'] as const

const named = Type.Object({ key: Type.String(), name: Type.String() })

const feedOverview = Type.Object({
  feeds: Type.Array(
    Type.Object({
      feed: oneOf(feedNames),
      signals: Type.Integer(),
      last_detected_at: nullable(instant()),
    }),
  ),
  streams: Type.Array(
    Type.Object({
      market: Type.String(),
      stream: Type.String(),
      truth_state: truthState,
      last_confirmed_at: nullable(instant()),
    }),
  ),
  markets: Type.Array(named),
  platforms: Type.Array(named),
  event_types: Type.Array(Type.String()),
  credits_per_signal: Type.Integer(),
  nonce: Type.String(),
})

export type FeedOverview = Static<typeof feedOverview>

export const showFeeds = defineSessionOperation({
  name: 'show_feeds',
  method: 'GET',
  path: '/dashboard/feeds',
  access: lookUpRoles,
  summary: 'The feeds, with the state of their sources and the last change',
  query: Type.Object({ feed: Type.Optional(oneOf(feedNames, { default: 'register_changes' })) }, closed),
  data: feedOverview,
  failures: [],
  async answer({ world, now }) {
    const { feeds, streams, platforms } = await readFeedOverview(world.database, now)
    return {
      platforms,
      streams: streams.flatMap(shownStream),
      feeds: feeds as FeedOverview['feeds'],
      markets: markets.map(({ code, name }) => ({ key: code, name })),
      event_types: [...registerEventTypes],
      credits_per_signal: prices['signal.base'].credits,
      nonce: newNonce(),
    }
  },
})

type Stream = Awaited<ReturnType<typeof readFeedOverview>>['streams'][number]

/** Imported records are of no market. Why a snapshot is quarantined is for staff. */
function shownStream({ market, source_stream_key: stream, truth_state, last_confirmed_at }: Stream) {
  const name = findMarket(market)?.name
  if (name === undefined || stream === null) return []
  return [{ market: name, stream, truth_state, last_confirmed_at }]
}
