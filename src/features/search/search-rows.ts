import type { World } from '../../database/open.ts'
import { atOneVersion } from './at-one-version.ts'
import type { PageRequest, SearchQuery, SearchResult } from './contract.ts'
import { filterPage } from './filter-page.ts'
import { isMatch } from './match-store.ts'
import { nothing, startOf } from './page-start.ts'
import { countedMatch, summarise } from './summarise.ts'
import { textPage } from './text-page.ts'

/** In a total order: by tier (`tiers`), rank, completeness, ref; without text by completeness, name, ref. */
export async function searchRows(
  world: World,
  query: SearchQuery,
  { position, rows: limit, facets = [] }: PageRequest,
): Promise<SearchResult> {
  const start = startOf(query, position)
  const { result, version } = await atOneVersion(world, query, {
    at: 'last known',
    nothing,
    run(prepared) {
      const { text } = prepared.match
      const request = { query, prepared, start, limit, facets }
      if (text === null) return filterPage(world, request)
      return textPage(world, request, { ...prepared.match, text })
    },
  })
  return { ...result, version }
}

export async function isInResult(
  world: World,
  query: SearchQuery,
  id: number,
  at: number | 'now' = 'now',
): Promise<boolean> {
  const { result } = await atOneVersion(world, query, {
    at,
    nothing: false,
    async run(prepared) {
      const summary = await summarise(world, prepared)
      const result = summary.total > 0 && (await isMatch(world, countedMatch(prepared, summary), id))
      return { result, version: summary.version }
    },
  })
  return result
}
