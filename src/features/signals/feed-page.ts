import { type CursorScope, openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import type { Quote } from '../../core/operation.ts'
import { yearMax, yearMin } from '../../core/plausible-years.ts'
import { charge } from '../../metering/pricing.ts'
import type { Context } from '../operation.ts'
import type { Days } from './days-store.ts'
import { pageSizeMax } from './feed-schemas.ts'
import type { FeedPage, FeedRow, PagePosition } from './page-store.ts'
import { describeSources } from './truth-state.ts'

type FeedInput = {
  occurred_from?: string | undefined
  occurred_to?: string | undefined
  after?: string | undefined
  page?: number | undefined
  page_size?: number | undefined
  max_credits?: number | undefined
}

type FeedQuery<Row extends FeedRow, Query, Signal> = {
  /** The prefix of the cursors, with a version: `rc1`. */
  feed: string
  /** Cursors are bound to these and to the days. */
  filters: Record<string, unknown>
  query: Query
  source: string | null
  readPage(position: PagePosition): Promise<FeedPage<Row>>
  describe(row: Row): Signal
}

/** A cursor has the number of the last delivered Signal, so it never expires. */
export async function quoteFeed<Row extends FeedRow, Query, Signal>(
  { world, now }: Context,
  input: FeedInput,
  feedQuery: FeedQuery<Row, Query, Signal>,
) {
  const days = daysOf(input)
  const filters = { ...feedQuery.filters, occurred_from: input.occurred_from, occurred_to: input.occurred_to }
  const scope = { feed: feedQuery.feed, filters, hasOwnKey: true }
  const secret = await world.cursorSecret()
  const after = input.after === undefined ? null : positionOf(scope, input.after, secret)
  const pageSize = input.page_size ?? pageSizeMax
  const { rows, total, sources } = await feedQuery.readPage({ after: after ?? 0, days })
  const delivered = rows.slice(0, pageSize)
  const position = delivered.at(-1)?.number ?? after
  const paid = delivered.filter(row => row.correction_of === null && !row.is_backfill)
  const price = charge('signal.base', paid.length)
  const charges = paid.length === 0 ? [] : [price]
  const data = {
    query: feedQuery.query,
    total,
    page: 1,
    page_size: pageSize,
    next_cursor: position === null ? null : sealCursor(scope, [String(position)], secret),
    has_more: rows.length > pageSize,
    signals: delivered.map(feedQuery.describe),
    sources: describeSources(sources, feedQuery.source, now),
    billing: {
      credits_charged: price.credits_charged,
      breakdown: charges as {
        key: 'signal.base'
        units: number
        credits_per_unit: number
        credits_charged: number
      }[],
      max_credits: input.max_credits ?? null,
    },
  }
  return { ceiling: price.credits_charged, deliver: async () => ({ data, charges }) } satisfies Quote<
    typeof data
  >
}

function positionOf(scope: CursorScope, cursor: string, secret: Buffer): number {
  const position = Number(openCursor(scope, cursor, secret)[0])
  if (!Number.isSafeInteger(position))
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return position
}

const dayMin = `${yearMin}-01-01`
const dayMax = `${yearMax}-12-31`

function daysOf({ occurred_from: from, occurred_to: to }: FeedInput): Days | null {
  for (const [parameter, day] of Object.entries({ occurred_from: from, occurred_to: to })) {
    if (day !== undefined && (day < dayMin || day > dayMax))
      throw invalidDay(parameter, `a day from ${dayMin} to ${dayMax}`)
  }
  if (from !== undefined && to !== undefined && to < from)
    throw invalidDay('occurred_to', 'a day that is not before "occurred_from"')
  return from === undefined && to === undefined ? null : { from: from ?? dayMin, to: to ?? dayMax }
}

function invalidDay(parameter: string, accepted: string): Failure {
  return new Failure('invalid_parameter', {
    message: `"${parameter}" must be ${accepted}.`,
    details: { parameter, takes: accepted },
  })
}
