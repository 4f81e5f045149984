import type { World } from '../../database/open.ts'
import type { FacetCount, SearchQuery } from './contract.ts'
import { listFacets } from './list-facets.ts'
import type { Evaluated } from './result-cache.ts'
import { countedField, isFacet } from './rows/search-row.ts'
import { atOneVersion, evaluate, settledMatch } from './summarise.ts'
import { type FacetRow, readFacets } from './text-page-store.ts'

/**
 * Counts by value over all that matches; at most 50 values a field, by count, then value. Fields that rows are not counted
 * by (payment methods, suppliers, platforms) are none of a caller's. `at` is the version that a page of the same request told.
 */
export async function facetCounts(
  world: World,
  what: SearchQuery,
  fields: readonly string[],
  at: number | 'now' = 'now',
): Promise<FacetCount[]> {
  const uncounted = fields.find(field => !isFacet(what.subject, field))
  if (uncounted !== undefined) throw new Error(`${what.subject} rows are not counted by ${uncounted}`)
  const none = fields.map(field => ({ field, values: [] }))
  const { result } = await atOneVersion(world, what, none, at, async asked => {
    const known = await evaluate(world, asked)
    const missing = fields.filter(field => !known.facets.has(field))
    if (missing.length > 0 && known.total > 0) {
      const counted = await readFacets(world, settledMatch(asked, known), missing.map(countedField))
      if (counted.version !== known.version) return { result: none, version: counted.version }
      keepFacets(known, missing, counted)
    }
    const result = fields.map(field => known.facets.get(field) ?? { field, values: [] })
    return { result, version: known.version }
  })
  return result
}

/** null: one of them was not counted. */
export function knownFacets({ facets }: Evaluated, fields: readonly string[]): FacetCount[] | null {
  const known = fields.flatMap(field => facets.get(field) ?? [])
  return known.length === fields.length ? known : null
}

/** What was counted belongs to the version that it was counted at. */
export function keepFacets(
  known: Evaluated,
  fields: readonly string[],
  { facets, version }: { facets: readonly FacetRow[]; version: number },
): void {
  if (version !== known.version) return
  for (const facet of listFacets(fields, facets)) known.facets.set(facet.field, facet)
}
