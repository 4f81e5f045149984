import { Failure } from '../core/failure.ts'
import type { Delivery, Quote } from '../core/operation.ts'
import { charge, type PriceKey, totalCredits } from '../metering/pricing.ts'
import type { PageQuery } from './paging.ts'

type Sale = {
  /** Of a row. */
  price: PriceKey
  /** Whether a filter asks for what no free answer tells (docs/decisions/0010-paid-filters-are-not-probed.md). */
  hasPaidFilter: boolean
}

/**
 * A page of a search, as the edge takes it. Its ceiling is the rows that are on it, so that nobody is refused for rows that do
 * not exist. Where that would tell what is sold, it is a whole page, quoted before anything is looked for; the balance has to
 * cover it; and behind the first page a page without rows is refused, with no word on how many match.
 */
export async function quotePage<Data>(
  asked: PageQuery,
  { price, hasPaidFilter }: Sale,
  look: () => Promise<Delivery<Data>>,
): Promise<Quote<Data>> {
  if (!hasPaidFilter) {
    const delivery = await look()
    return { ceiling: totalCredits(delivery.charges), deliver: async () => delivery }
  }
  const quote = charge(price, asked.size.rows).credits_charged
  const deliver = async () => {
    const delivery = await look()
    if (delivery.charges.length === 0 && asked.page > 1) throw noRowsOn(asked)
    return delivery
  }
  return { ceiling: quote, creditsRequired: quote, deliver }
}

function noRowsOn({ page, size }: PageQuery): Failure {
  return new Failure('page_out_of_range', {
    message: `Page ${page} has no rows. Every page also answers next_cursor, which is null on the last one.`,
    details: { page, [size.parameter]: size.rows },
  })
}
