import type { Delivery, Quote } from '../core/operation.ts'
import { charge, type PriceKey, totalCredits } from '../metering/pricing.ts'
import type { PageQuery } from './paging.ts'

type Sale = {
  /** Per row. */
  price: PriceKey
  /** Filters by data that no free answer contains (docs/decisions/0010-paid-filters-are-not-probed.md). */
  hasPaidFilter: boolean
}

/**
 * A free page must not reveal how many rows a paid filter matches, so a later page without rows is as if
 * nothing matched. The page before a cursor was paid for.
 */
export const concealsEmpty = ({ page }: PageQuery, { hasPaidFilter }: Sale): boolean =>
  hasPaidFilter && page > 1

// A paid filter is quoted as a whole page before the search, so that the quote reveals no matches.
export async function quotePage<Data>(
  { size }: PageQuery,
  { price, hasPaidFilter }: Sale,
  search: () => Promise<Delivery<Data>>,
): Promise<Quote<Data>> {
  if (!hasPaidFilter) {
    const delivery = await search()
    return { ceiling: totalCredits(delivery.charges), deliver: async () => delivery }
  }
  const quote = charge(price, size.rows).credits_charged
  return { ceiling: quote, creditsRequired: quote, deliver: search }
}
