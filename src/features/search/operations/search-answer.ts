/** The members that both paid searches return (§2.8, §4.5, §4.11). */
import build from 'fast-json-stringify'
import { type TObject, type TSchema, Type } from 'typebox'
import { type JsonText, jsonList } from '../../../core/json-text.ts'
import { closed, nullable } from '../../../core/schema.ts'
import { charge, type PriceKey } from '../../../metering/pricing.ts'

export const facetCountsSchema = Type.Array(
  Type.Object(
    {
      field: Type.String({ description: 'The filter that accepts the values.' }),
      values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }, closed)),
    },
    closed,
  ),
  {
    description: 'Counts by value over all matches; up to 50 values a field, the most frequent first.',
  },
)

export const searchBilling = Type.Object(
  {
    returned_count: Type.Integer(),
    credits_per_result: Type.Integer(),
    credits_charged: Type.Integer(),
    billing_reason: Type.String({
      description: '`search_results_delivered`, `no_results` or `simulated` (demo key).',
    }),
    max_credits: nullable(Type.Integer()),
    page_size: Type.Integer(),
  },
  closed,
)

/** Omits members that the schema does not declare. */
export function writerOf(schema: TSchema): (value: unknown) => string {
  return build(schema as unknown as build.AnySchema)
}

export function membersWriter<Data extends object>(schema: TObject): (data: Data) => Record<string, string> {
  const members = Object.entries(schema.properties).map(
    ([name, of]) => [name, writerOf(of as TSchema)] as const,
  )
  return data => Object.fromEntries(members.map(([name, write]) => [name, write(data[name as keyof Data])]))
}

/** The members that `writePage` serialises, in their order; hits are sent as they are stored. */
export const writtenOfPage = [
  'query',
  'total',
  'page',
  'page_size',
  'next_cursor',
  'has_more',
  'hits',
] as const

type WrittenPage = {
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
}

export function writePage(
  { total, page, page_size, next_cursor, has_more }: WrittenPage,
  query: string,
  hits: readonly JsonText[],
): Record<(typeof writtenOfPage)[number], JsonText> {
  return {
    query,
    total: String(total),
    page: String(page),
    page_size: String(page_size),
    next_cursor: JSON.stringify(next_cursor),
    has_more: String(has_more),
    hits: jsonList(hits),
  }
}

export function billPage(priceKey: PriceKey, returned: number, pageSize: number, maxCredits?: number) {
  const price = charge(priceKey, returned)
  return {
    charges: returned === 0 ? [] : [price],
    billing: {
      returned_count: returned,
      credits_per_result: price.credits_per_unit,
      credits_charged: price.credits_charged,
      billing_reason: returned === 0 ? 'no_results' : 'search_results_delivered',
      max_credits: maxCredits ?? null,
      page_size: pageSize,
    },
  }
}
