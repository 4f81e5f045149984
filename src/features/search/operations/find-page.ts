import type { World } from '../../../database/open.ts'
import type { FacetCount, PageRequest, SearchQuery, SearchResult } from '../contract.ts'
import { countFacets } from '../count-facets.ts'
import { nothing } from '../page-start.ts'
import { facetFields } from '../rows/search-row.ts'
import { searchRows } from '../search-rows.ts'
import { requireKnownStatus } from './require-known-status.ts'

export type FoundPage = { result: SearchResult; facets: FacetCount[] }

export async function findPage<Added extends object>(
  world: World,
  query: SearchQuery,
  page: PageRequest,
  add: (result: SearchResult) => Promise<Added>,
): Promise<FoundPage & Added> {
  await requireKnownStatus(world, query)
  const fields = facetFields[query.subject]
  const found = await searchRows(world, query, { ...page, facets: fields })
  const isConcealed = page.concealsEmpty === true && found.rows.length === 0
  const result = isConcealed ? { ...found, ...nothing, facets: emptyFacets(fields) } : found
  // Run after the page, which counts uncached facets and identifies the Company at its version.
  const [facets, added] = await Promise.all([
    result.facets ?? countFacets(world, query, fields, result.version),
    add(result),
  ])
  return { result, facets, ...added }
}

const emptyFacets = (fields: readonly string[]) => fields.map(field => ({ field, values: [] }))
