import type { Delivery, Quote } from '../core/operation.ts'
import { charge, type PriceKey, totalCredits } from '../metering/pricing.ts'
import type { PageQuery } from './paging.ts'

type Sale = {
  /** The price of one row. */
  price: PriceKey
  /**
   * Is true if the search filters by data that no free answer contains
   * (docs/decisions/0010-paid-filters-are-not-probed.md).
   */
  hasPaidFilter: boolean
}

/**
 * Returns true if an empty page must look as if nothing matched. An empty later page is free, so its total
 * would reveal how many rows a paid filter matches. With a cursor, the page before was paid for.
 */
export const concealsEmpty = ({ page }: PageQuery, { hasPaidFilter }: Sale): boolean =>
  hasPaidFilter && page > 1

// Quotes a search with a paid filter as a whole page before it runs, so that the quote reveals no matches.
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
