import { type TObject, type TProperties, Type } from 'typebox'
import type { AnyOperation } from '../../../core/operation.ts'
import { closed } from '../../../core/schema.ts'
import type { World } from '../../../database/open.ts'
import { cachedPreview } from '../result-cache.ts'
import type { FoundPage } from './find-page.ts'
import {
  estimateCosts,
  estimatedCosts,
  nextAction,
  sampleOf,
  sampleRowsMax,
  suggestPaidSearch,
} from './preview-answer.ts'
import { facetCountsSchema, membersWriter } from './search-answer.ts'
import type { SearchDeclaration, SearchFilters } from './search-declaration.ts'

export function previewOperation<
  Found extends FoundPage,
  Sample extends TObject,
  Members extends TProperties,
>(declaration: SearchDeclaration<Found, Sample, Members>): AnyOperation<World> {
  const { plural, price, search, preview } = declaration
  const { filters: filterSchemas, echo, failures, check, ...texts } = preview
  const properties: TProperties = {
    query: echo,
    total_count: Type.Integer({ description: `All ${plural} that match.` }),
    estimated_costs: estimatedCosts,
    next_action: nextAction,
    facet_counts: facetCountsSchema,
    sample: sampleOf(declaration.sample),
    ...declaration.members,
  }
  const data = Type.Object(properties, closed)
  const write = membersWriter(data)
  const page = { position: { offset: 0 }, rows: sampleRowsMax }
  return {
    ...texts,
    method: 'GET',
    tag: declaration.tag,
    query: Type.Object(filterSchemas, closed),
    data,
    written: Object.keys(properties),
    prices: [],
    failures: ['invalid_domain', ...failures, 'search_unavailable'],
    canonical: declaration.canonical,

    async quote({ world }, filters: SearchFilters) {
      await check(world, filters)
      const delivery = await cachedPreview(world, preview.name, filters, async () => {
        const found = await declaration.find(world, filters, page)
        const { total, rows, version } = found.result
        const answer = {
          query: filters,
          total_count: total,
          estimated_costs: estimateCosts(price, total),
          next_action: suggestPaidSearch(search.path, price, filters, total),
          facet_counts: found.facets,
          sample: rows.map(row => declaration.sampleOf(row, found)),
          ...declaration.membersOf(found, filters, false),
        }
        return { delivery: { data: answer, written: write(answer), charges: [] }, version }
      })
      return { ceiling: 0, deliver: async () => delivery }
    },
  }
}
