import { type TObject, type TProperties, Type } from 'typebox'
import { sealCursor } from '../../../core/cursor.ts'
import type { AnyOperation } from '../../../core/operation.ts'
import { closed } from '../../../core/schema.ts'
import type { World } from '../../../database/open.ts'
import { pageLinks, pagePosition, pagingOutput } from '../../paging.ts'
import { concealsEmpty, quotePage } from '../../quote-page.ts'
import { pageInput, pageSizeDefault } from './filter-input.ts'
import type { FoundPage } from './find-page.ts'
import {
  billPage,
  facetCountsSchema,
  searchBilling,
  writePage,
  writerOf,
  writtenOfPage,
} from './search-answer.ts'
import type { SearchDeclaration, SearchFilters } from './search-declaration.ts'

type PageInput = { page?: number; page_size?: number; after?: string; max_credits?: number }

export function searchOperation<Found extends FoundPage, Sample extends TObject, Members extends TProperties>(
  declaration: SearchDeclaration<Found, Sample, Members>,
): AnyOperation<World> {
  const { plural, price, feed, search } = declaration
  const { filters: filterSchemas, echo, hasPaidFilter, ...texts } = search
  const writeQuery = writerOf(echo)
  return {
    ...texts,
    method: 'GET',
    tag: declaration.tag,
    query: Type.Object({ ...filterSchemas, ...pageInput }, closed),
    data: pageSchema(plural, echo, declaration.hit, declaration.members),
    written: writtenOfPage,
    prices: [price],
    failures: searchFailures,
    canonical: declaration.canonical,

    async quote({ world }, input: SearchFilters & PageInput) {
      const {
        page = 1,
        page_size: pageSize = pageSizeDefault,
        after,
        max_credits: maxCredits,
        ...filters
      } = input
      const secret = await world.cursorSecret()
      const scope = { feed, filters }
      const request = { page, size: { parameter: 'page_size', rows: pageSize }, after, scope } as const
      const position = pagePosition(request, secret)
      const sale = { price, hasPaidFilter: hasPaidFilter(filters) }
      return quotePage(request, sale, async () => {
        const found = await declaration.find(world, filters, {
          position,
          rows: pageSize,
          concealsEmpty: concealsEmpty(request, sale),
        })
        const { total, rows, next } = found.result
        const { charges, billing } = billPage(price, rows.length, pageSize, maxCredits)
        const data = {
          query: filters,
          total,
          page,
          page_size: pageSize,
          ...pageLinks(next === null ? null : sealCursor(scope, next, secret)),
          hits: [],
          facet_counts: found.facets,
          ...declaration.membersOf(found, filters, true),
          billing,
        }
        const hits = rows.map(row => declaration.writeHit(row, found))
        return { data, written: writePage(data, writeQuery(filters), hits), charges }
      })
    },
  }
}

const pageSchema = (plural: string, echo: TObject, hit: TObject, members: TProperties) => {
  const properties: TProperties = {
    query: echo,
    total: Type.Integer({ description: `All ${plural} that match.` }),
    page: Type.Integer(),
    page_size: Type.Integer(),
    ...pagingOutput,
    hits: Type.Array(hit),
    facet_counts: facetCountsSchema,
    ...members,
    billing: searchBilling,
  }
  return Type.Object(properties, closed)
}

const searchFailures = [
  'invalid_domain',
  'page_out_of_range',
  'invalid_cursor',
  'cursor_filter_mismatch',
  'max_credits_exceeded',
  'quota_exceeded',
  'idempotency_key_reused',
  'search_unavailable',
] as const
