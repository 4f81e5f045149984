import { yearMax, yearMin } from '@baize/names'
import { type CursorScope, openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure, wrongValue } from '../../core/failure.ts'
import type { Quote } from '../../core/operation.ts'
import { charge } from '../../metering/pricing.ts'
import type { Context } from '../operation.ts'
import { pageSizeMax } from './feed-schemas.ts'
import type { FeedDays, FeedPage, FeedPosition, FeedRow } from './page-store.ts'
import { describeSources } from './sources-store.ts'

type FeedInput = {
  occurred_from?: string | undefined
  occurred_to?: string | undefined
  after?: string | undefined
  page?: number | undefined
  page_size?: number | undefined
  max_credits?: number | undefined
}

type FeedQuery<Row extends FeedRow, Filters, Signal> = {
  /** The prefix of the cursors, which has a version, such as `rc1`. */
  feed: string
  /** The filters that the answer echoes. Cursors are bound to them and to the period. */
  filters: Filters
  source: string | null
  readPage(position: FeedPosition): Promise<FeedPage<Row>>
  describe(row: Row): Signal
}

/** Quotes a page of a feed. A cursor has the number of the last delivered Signal, so it never expires. */
export async function quoteFeed<Row extends FeedRow, Filters extends object, Signal>(
  { world, now }: Context,
  input: FeedInput,
  feedQuery: FeedQuery<Row, Filters, Signal>,
) {
  const days = feedDays(input)
  const filters = { ...feedQuery.filters, occurred_from: input.occurred_from, occurred_to: input.occurred_to }
  const scope = { feed: feedQuery.feed, filters, hasOwnKey: true }
  const secret = await world.cursorSecret()
  const after = input.after === undefined ? null : signalNumberOf(scope, input.after, secret)
  const pageSize = input.page_size ?? pageSizeMax
  const { rows, total, sources } = await feedQuery.readPage({ after: after ?? 0, days })
  const delivered = rows.slice(0, pageSize)
  const position = delivered.at(-1)?.number ?? after
  const paid = delivered.filter(row => row.correction_of === null && !row.is_backfill)
  const price = charge('signal.base', paid.length)
  const charges = paid.length === 0 ? [] : [price]
  const data = {
    query: {
      ...feedQuery.filters,
      occurred_from: input.occurred_from ?? null,
      occurred_to: input.occurred_to ?? null,
    },
    total,
    page: 1,
    page_size: pageSize,
    next_cursor: position === null ? null : sealCursor(scope, [String(position)], secret),
    has_more: rows.length > pageSize,
    signals: delivered.map(feedQuery.describe),
    sources: describeSources(sources, feedQuery.source, now),
    billing: {
      credits_charged: price.credits_charged,
      breakdown: charges,
      max_credits: input.max_credits ?? null,
    },
  }
  return { ceiling: price.credits_charged, deliver: async () => ({ data, charges }) } satisfies Quote<
    typeof data
  >
}

function signalNumberOf(scope: CursorScope, cursor: string, secret: Buffer): number {
  const position = Number(openCursor(scope, cursor, secret)[0])
  if (!Number.isSafeInteger(position))
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return position
}

const dayMin = `${yearMin}-01-01`
const dayMax = `${yearMax}-12-31`

/** Returns the days of a feed's request, or null for all. */
export function feedDays({
  occurred_from: from,
  occurred_to: to,
}: Pick<FeedInput, 'occurred_from' | 'occurred_to'>): FeedDays | null {
  for (const [parameter, day] of Object.entries({ occurred_from: from, occurred_to: to })) {
    if (day !== undefined && (day < dayMin || day > dayMax))
      throw wrongValue(parameter, `a day from ${dayMin} to ${dayMax}`)
  }
  if (from !== undefined && to !== undefined && to < from)
    throw wrongValue('occurred_to', 'a day that is not before "occurred_from"')
  return from === undefined && to === undefined ? null : { from: from ?? dayMin, to: to ?? dayMax }
}
