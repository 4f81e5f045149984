import { type TSchema, Type } from 'typebox'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { maxCredits } from '../inputs.ts'
import { cursorCharactersMax } from '../paging.ts'

export const pageSizeMax = 20

export const operatorRole = oneOf(['operator'], { description: 'Only `operator`.' })

/** What every feed takes (§4.1 to §4.3). */
export const pageInput = {
  occurred_from: Type.Optional(
    Type.String({ format: 'date', description: 'Changes that occurred on that day (UTC) or later.' }),
  ),
  occurred_to: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Changes that occurred on that day (UTC), all of it, or earlier.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursorCharactersMax,
      description: 'The `next_cursor` of the page before, however long ago; bound to the filters.',
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1,
      default: 1,
      description: 'Only 1; a feed is followed by `after`.',
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeMax, description: 'Signals a page.' }),
  ),
  max_credits: Type.Optional(maxCredits),
}

const truthStates = ['confirmed', 'held', 'stale', 'not_covered'] as const
export type TruthState = (typeof truthStates)[number]

export const truthState = oneOf(truthStates, {
  named: 'TruthState',
  description:
    '`confirmed`: the source was read as it last said. `held`: what it says now waits for a person. `stale`: it was not read for three times as long as it is quiet. `not_covered`: it was never read.',
})

const sources = Type.Array(
  Type.Object(
    {
      source_stream_key: nullable(Type.String(), { description: 'null: no source of this market is read.' }),
      truth_state: truthState,
      hold_reasons: Type.Array(Type.String()),
      last_confirmed_at: nullable(instant()),
    },
    closed,
  ),
  { description: 'What the page was read from, so that silence is not taken for "no change".' },
)

/** `data` of a feed around its echoed query and its Signals. */
export function feedData<Query extends TSchema, Signal extends TSchema>(query: Query, signal: Signal) {
  return Type.Object(
    {
      query,
      total: Type.Integer({ description: 'All Signals that match the filters, from the start of the feed.' }),
      page: Type.Integer(),
      page_size: Type.Integer(),
      next_cursor: nullable(Type.String(), {
        description:
          'Send it as `after`, now or later: at the end of the feed the same position is handed back. null only if nothing matches yet.',
      }),
      has_more: Type.Boolean({ description: 'Whether the next page holds something already.' }),
      signals: Type.Array(signal),
      sources,
      billing: Type.Object(
        {
          credits_charged: Type.Integer(),
          breakdown: Type.Array(
            Type.Object(
              {
                key: oneOf(['signal.base']),
                units: Type.Integer(),
                credits_per_unit: Type.Integer(),
                credits_charged: Type.Integer(),
              },
              closed,
            ),
          ),
          max_credits: nullable(Type.Integer()),
        },
        closed,
      ),
    },
    closed,
  )
}

export const nullableDay = nullable(Type.String({ format: 'date' }))

/** Failures that every feed may raise. */
export const feedFailures = [
  'invalid_cursor',
  'cursor_filter_mismatch',
  'max_credits_exceeded',
  'quota_exceeded',
  'idempotency_key_reused',
] as const
