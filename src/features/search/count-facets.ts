import type { World } from '../../database/open.ts'
import { atOneVersion } from './at-one-version.ts'
import type { FacetCount, SearchQuery } from './contract.ts'
import { readFacets } from './facets-store.ts'
import { type FacetRow, listFacets } from './list-facets.ts'
import type { SearchSummary } from './result-cache.ts'
import { countedField, isFacet } from './rows/search-row.ts'
import { countedMatch, summariseSearch } from './summarise.ts'

/** Counts at most 50 values per field, by count, then value. `at` is the version of the request's page. */
export async function countFacets(
  world: World,
  query: SearchQuery,
  fields: readonly string[],
  at: number | 'now' = 'now',
): Promise<FacetCount[]> {
  const uncountable = fields.find(field => !isFacet(query.subject, field))
  if (uncountable !== undefined) throw new Error(`${query.subject} rows have no facet ${uncountable}`)
  const nothing = fields.map(field => ({ field, values: [] }))
  const { result } = await atOneVersion<FacetCount[]>(world, query, {
    at,
    nothing,
    async run(prepared) {
      const summary = await summariseSearch(world, prepared)
      const missing = fields.filter(field => !summary.facets.has(field))
      if (missing.length > 0 && summary.total > 0) {
        const match = countedMatch(prepared, summary)
        const counted = await readFacets(world, match, missing.map(countedField))
        if (counted.version !== summary.version) return { result: nothing, version: counted.version }
        cacheFacets(summary, missing, counted)
      }
      const result = fields.map(field => summary.facets.get(field) ?? { field, values: [] })
      return { result, version: summary.version }
    },
  })
  return result
}

export function cachedFacets({ facets }: SearchSummary, fields: readonly string[]): FacetCount[] | null {
  const counted = fields.flatMap(field => facets.get(field) ?? [])
  return counted.length === fields.length ? counted : null
}

export function cacheFacets(
  summary: SearchSummary,
  fields: readonly string[],
  { facets, version }: { facets: readonly FacetRow[]; version: number },
): void {
  if (version !== summary.version) return
  for (const facet of listFacets(fields, facets)) summary.facets.set(facet.field, facet)
}
