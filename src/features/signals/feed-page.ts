import { type CursorScope, openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import type { Quote } from '../../core/operation.ts'
import { yearMax, yearMin } from '../../core/plausible-years.ts'
import { charge } from '../../metering/pricing.ts'
import type { Context } from '../operation.ts'
import type { Days } from './days-store.ts'
import { pageSizeMax } from './feed-schemas.ts'
import type { FeedPage, FeedRow } from './page-store.ts'
import { describeSources } from './truth-state.ts'

/** What a feed is asked for, whatever the feed. */
export type FeedInput = {
  occurred_from?: string | undefined
  occurred_to?: string | undefined
  after?: string | undefined
  page?: number | undefined
  page_size?: number | undefined
  max_credits?: number | undefined
}

export type FeedQuery<Row extends FeedRow, Query, Signal> = {
  /** The feed and its version, as its cursors begin: `rc1`. */
  feed: string
  /** What cursors are bound to; the days of occurrence are added. */
  filters: Record<string, unknown>
  /** As it is echoed. */
  query: Query
  /** The source that was asked for; null: all that there are. */
  source: string | null
  readPage(after: number, days: Days | null): Promise<FeedPage<Row>>
  tell(row: Row): Signal
}

/**
 * One page of a feed, oldest first, in the order in which the service learnt of the changes. A position is the number of
 * the last Signal delivered, so it lasts for ever. Sources are those of the very moment of the page: what it lacks, they did
 * not claim either.
 */
export async function quoteFeed<Row extends FeedRow, Query, Signal>(
  { world, now }: Context,
  input: FeedInput,
  asked: FeedQuery<Row, Query, Signal>,
) {
  const days = daysOf(input)
  const filters = { ...asked.filters, occurred_from: input.occurred_from, occurred_to: input.occurred_to }
  const scope = { feed: asked.feed, filters, hasOwnKey: true }
  const secret = await world.cursorSecret()
  const after = input.after === undefined ? null : positionOf(scope, input.after, secret)
  const pageSize = input.page_size ?? pageSizeMax
  const { rows, total, sources } = await asked.readPage(after ?? 0, days)
  const delivered = rows.slice(0, pageSize)
  const position = delivered.at(-1)?.number ?? after
  const price = charge('signal.base', delivered.length)
  const charges = delivered.length === 0 ? [] : [price]
  const data = {
    query: asked.query,
    total,
    page: 1,
    page_size: pageSize,
    next_cursor: position === null ? null : sealCursor(scope, [String(position)], secret),
    has_more: rows.length > pageSize,
    signals: delivered.map(asked.tell),
    sources: describeSources(sources, asked.source, now),
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

/** The days asked for, both of them in; null: all. */
function daysOf({ occurred_from: from, occurred_to: to }: FeedInput): Days | null {
  for (const [parameter, day] of Object.entries({ occurred_from: from, occurred_to: to })) {
    if (day !== undefined && (day < dayMin || day > dayMax))
      throw wrongDay(parameter, `a day from ${dayMin} to ${dayMax}`)
  }
  if (from !== undefined && to !== undefined && to < from)
    throw wrongDay('occurred_to', 'a day that is not before "occurred_from"')
  return from === undefined && to === undefined ? null : { from: from ?? dayMin, to: to ?? dayMax }
}

function wrongDay(parameter: string, takes: string): Failure {
  return new Failure('invalid_parameter', {
    message: `"${parameter}" takes ${takes}.`,
    details: { parameter, takes },
  })
}
