/** Writes the pages of both paid searches: members, failures and the quote (§4.5, §4.11). */

import build from 'fast-json-stringify'
import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { sealCursor } from '../../../core/cursor.ts'
import { type JsonText, jsonList } from '../../../core/json-text.ts'
import { once } from '../../../core/once.ts'
import { closedObject, nullable } from '../../../core/schema.ts'
import type { World } from '../../../database/open.ts'
import { charge, type PriceKey } from '../../../metering/pricing.ts'
import { pageLinks, pagePosition, pagingOutput } from '../../paging.ts'
import { concealsEmpty, quotePage } from '../../quote-page.ts'
import type { PageRequest } from '../contract.ts'
import { pageSizeDefault, type SearchFilters } from './filter-input.ts'
import type { FoundPage } from './find-page.ts'

export const searchFailures = [
  'invalid_domain',
  'page_out_of_range',
  'invalid_cursor',
  'cursor_filter_mismatch',
  'max_credits_exceeded',
  'quota_exceeded',
  'idempotency_key_reused',
  'search_unavailable',
] as const

export const facetCountsSchema = Type.Array(
  closedObject({
    field: Type.String({ description: 'The filter that accepts the values.' }),
    values: Type.Array(closedObject({ value: Type.String(), count: Type.Integer() })),
  }),
  {
    description: 'Counts by value over all matches; up to 50 values a field, the most frequent first.',
  },
)

/** The bill of a search (§2.8). */
const searchBilling = closedObject({
  returned_count: Type.Integer(),
  credits_per_result: Type.Integer(),
  credits_charged: Type.Integer(),
  billing_reason: Type.String({
    description: '`search_results_delivered`, `no_results` or `simulated` (demo key).',
  }),
  max_credits: nullable(Type.Integer()),
  page_size: Type.Integer(),
})

/** Declares the data of a search. `plural` is used in descriptions, as in `All licenses that match.` */
export function searchData(
  plural: string,
  { query, hit, members }: { query: TObject; hit: TObject; members: TProperties },
) {
  const properties: TProperties = {
    query,
    total: Type.Integer({ description: `All ${plural} that match.` }),
    page: Type.Integer(),
    page_size: Type.Integer(),
    ...pagingOutput,
    hits: Type.Array(hit),
    facet_counts: facetCountsSchema,
    ...members,
    billing: searchBilling,
  }
  return closedObject(properties)
}

/** The members that `quoteSearch` writes, in order. Hits are sent as they are stored. */
export const writtenOfPage = [
  'query',
  'total',
  'page',
  'page_size',
  'next_cursor',
  'has_more',
  'hits',
] as const

/** Returns a function that writes a value as JSON, without members that the schema does not declare. */
export function writerOf(schema: TSchema): (value: unknown) => string {
  const writer = once(() => build(schema as unknown as build.AnySchema))
  return value => writer()(value)
}

type PaidSearch = {
  price: PriceKey
  /** The prefix of the cursors, which must change with the order of rows. */
  feed: string
  writeQuery(filters: SearchFilters): string
  /** Returns true if a filter would reveal paid facts by the number of rows (decision 10). */
  hasPaidFilter(filters: SearchFilters): boolean
  find(
    filters: SearchFilters,
    page: PageRequest,
  ): Promise<FoundPage & { hits: readonly JsonText[]; members: object }>
}

type PageInput = {
  page?: number
  page_size?: number
  after?: string
  max_credits?: number
}

export async function quoteSearch(world: World, input: SearchFilters & PageInput, search: PaidSearch) {
  const { page = 1, page_size: rows = pageSizeDefault, after, max_credits: maxCredits, ...filters } = input
  const secret = await world.cursorSecret()
  const scope = { feed: search.feed, filters }
  const request = { page, size: { parameter: 'page_size', rows }, after, scope } as const
  const position = pagePosition(request, secret)
  const sale = { price: search.price, hasPaidFilter: search.hasPaidFilter(filters) }
  return quotePage(request, sale, async () => {
    const pageRequest = { position, rows, concealsEmpty: concealsEmpty(request, sale) }
    const { result, facets, hits, members } = await search.find(filters, pageRequest)
    const price = charge(search.price, hits.length)
    const cursor = result.next === null ? null : sealCursor(scope, result.next, secret)
    const { next_cursor, has_more } = pageLinks(cursor)
    return {
      charges: hits.length === 0 ? [] : [price],
      written: {
        query: search.writeQuery(filters),
        total: String(result.total),
        page: String(page),
        page_size: String(rows),
        next_cursor: JSON.stringify(next_cursor),
        has_more: String(has_more),
        hits: jsonList(hits),
      } satisfies Record<(typeof writtenOfPage)[number], JsonText>,
      data: {
        facet_counts: facets,
        ...members,
        billing: {
          returned_count: hits.length,
          credits_per_result: price.credits_per_unit,
          credits_charged: price.credits_charged,
          billing_reason: hits.length === 0 ? 'no_results' : 'search_results_delivered',
          max_credits: maxCredits ?? null,
          page_size: rows,
        },
      },
    }
  })
}
