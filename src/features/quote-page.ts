import { Failure } from '../core/failure.ts'
import type { Delivery, Quote } from '../core/operation.ts'
import { charge, type PriceKey, totalCredits } from '../metering/pricing.ts'
import type { PageQuery } from './paging.ts'

type Sale = {
  /** Per row. */
  price: PriceKey
  /** Filters by data that no free answer contains (docs/decisions/0010-paid-filters-are-not-probed.md). */
  hasPaidFilter: boolean
}

// A paid filter is quoted as a whole page before the search, so that the quote reveals no matches.
export async function quotePage<Data>(
  query: PageQuery,
  { price, hasPaidFilter }: Sale,
  search: () => Promise<Delivery<Data>>,
): Promise<Quote<Data>> {
  if (!hasPaidFilter) {
    const delivery = await search()
    return { ceiling: totalCredits(delivery.charges), deliver: async () => delivery }
  }
  const quote = charge(price, query.size.rows).credits_charged
  const deliver = async () => {
    const delivery = await search()
    if (delivery.charges.length === 0 && query.page > 1) throw noRowsOn(query)
    return delivery
  }
  return { ceiling: quote, creditsRequired: quote, deliver }
}

function noRowsOn({ page, size }: PageQuery): Failure {
  return new Failure('page_out_of_range', {
    message: `Page ${page} has no rows. next_cursor is null on the last page.`,
    details: { page, [size.parameter]: size.rows },
  })
}
