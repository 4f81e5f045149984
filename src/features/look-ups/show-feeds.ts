import { type Static, Type } from 'typebox'
import { markets } from '../../core/markets.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { newNonce } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { readFeedOverview, registerEventTypes } from '../signals/index.ts'
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
      source_stream_key: nullable(Type.String()),
      truth_state: Type.String(),
      hold_reasons: Type.Array(Type.String()),
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
    const { feeds, ...rest } = await readFeedOverview(world.database, now)
    return {
      ...rest,
      feeds: feeds as FeedOverview['feeds'],
      markets: markets.map(({ code, name }) => ({ key: code, name })),
      event_types: [...registerEventTypes],
      credits_per_signal: prices['signal.base'].credits,
      nonce: newNonce(),
    }
  },
})
