import { type TSchema, Type } from 'typebox'
import { closedObject, instant, nullable, oneOf } from '../../core/schema.ts'
import { billingLines } from '../billing.ts'
import { maxCredits } from '../inputs.ts'
import { cursorCharactersMax } from '../paging.ts'
import { truthState } from '../source-facts.ts'

export const pageSizeMax = 20

export const operatorRole = oneOf(['operator'], { description: 'Must be `operator`.' })

export const feedPageInput = {
  occurred_from: Type.Optional(
    Type.String({ format: 'date', description: 'Only changes that occurred on this day (UTC) or later.' }),
  ),
  occurred_to: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Only changes that occurred on this day (UTC) or earlier.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursorCharactersMax,
      description:
        '`next_cursor` of the previous page. It never expires and works only with the same filters.',
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1,
      default: 1,
      description: 'Must be 1. Use `after` to page through a feed.',
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSizeMax,
      default: pageSizeMax,
      description: 'Signals per page.',
    }),
  ),
  max_credits: Type.Optional(maxCredits),
}

const sources = Type.Array(
  closedObject({
    source_stream_key: nullable(Type.String(), { description: 'null: this market has no source.' }),
    truth_state: truthState,
    hold_reasons: Type.Array(Type.String()),
    last_confirmed_at: nullable(instant()),
  }),
  {
    description: "State of this page's sources. Only for a `confirmed` one does no Signal mean no change.",
  },
)

export function feedData<Query extends TSchema, Signal extends TSchema>(query: Query, signal: Signal) {
  return closedObject({
    query,
    total: Type.Integer({
      description: 'Signals that match the filters, counted from the start of the feed.',
    }),
    page: Type.Integer(),
    page_size: Type.Integer(),
    next_cursor: nullable(Type.String(), {
      description:
        'Pass it as `after`, now or later. It stays the same at the end. null: nothing matches yet.',
    }),
    has_more: Type.Boolean({ description: 'Whether there is a next page already.' }),
    signals: Type.Array(signal),
    sources,
    billing: closedObject({
      credits_charged: Type.Integer(),
      breakdown: billingLines(['signal.base']),
      max_credits: nullable(Type.Integer()),
    }),
  })
}

export const correctionOf = nullable(Type.String(), {
  description: [
    'The `signal_ref` of the Signal that this one takes back, because the service had read a wrong file.',
    'It is the opposite change, free of charge, with the same `occurred_at`. null: none.',
  ].join(' '),
})

export const backfilled = Type.Boolean({
  description:
    'Whether the change was found by reading older files as history. Such a Signal is no news, and free.',
})

export const nullableDay = nullable(Type.String({ format: 'date' }))

export const feedFailures = [
  'invalid_cursor',
  'cursor_filter_mismatch',
  'max_credits_exceeded',
  'quota_exceeded',
  'idempotency_key_reused',
] as const
