import type { World } from '../../database/open.ts'
import { atOneVersion, type PreparedQuery, type VersionedResult } from './at-one-version.ts'
import type { PageRequest, ResultRow, SearchPosition, SearchQuery, SearchResult } from './contract.ts'
import { cachedFacets } from './count-facets.ts'
import { type FilterRow, readFilterPage } from './filter-page-store.ts'
import { isMatch } from './match-store.ts'
import { nothing, type PageContext, type PageOfRows, startOf } from './page-start.ts'
import { countedMatch, summariseSearch } from './summarise.ts'
import { textPage } from './text-page.ts'

/**
 * Searches rows in a total order: by tier (`tiers`), rank, completeness and ref with a text, and by
 * completeness, name and ref without one.
 */
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
      const summary = await summariseSearch(world, prepared)
      const result = summary.total > 0 && (await isMatch(world, countedMatch(prepared, summary), id))
      return { result, version: summary.version }
    },
  })
  return result
}

async function filterPage(
  world: World,
  { prepared, start, limit, facets }: PageContext,
): Promise<VersionedResult<PageOfRows>> {
  const summary = await summariseSearch(world, prepared)
  const { total, basis } = summary
  if (total === 0) return { result: nothing, version: null }
  const { position, rowsBefore } = start
  const isScan = isScanFaster(prepared, position, limit)
  const page = await readFilterPage(world, prepared.match, { position, limit: limit + 1, isScan })
  const rows = page.rows.slice(0, limit).map((row, index) => filterResult(row, rowsBefore + index + 1))
  const last = page.rows.length > limit ? page.rows[limit - 1] : undefined
  const next = last === undefined ? null : filterPositionAfter(last, rowsBefore + rows.length)
  const counted = summary.version === page.version ? cachedFacets(summary, facets) : null
  return { result: { total, basis, rows, next, facets: counted }, version: page.version }
}

const filterResult = ({ id, hit }: FilterRow, rank: number): ResultRow => ({
  id,
  hit,
  rank,
  score: null,
  matchedFields: [],
  highlight: {},
})

const filterPositionAfter = (row: FilterRow, rowsBefore: number) => [
  String(row.missing),
  row.sortName,
  row.ref,
  String(rowsBefore),
]

/** Returns true if scanning the rows in order is faster than sorting all matches, for independent terms. */
function isScanFaster(
  { rowCount, termRows, match }: PreparedQuery,
  position: SearchPosition,
  limit: number,
): boolean {
  if (match.domain !== null || match.only !== null) return false
  const wanted = ('offset' in position ? position.offset : 0) + limit
  const share = termRows.reduce((product, rows) => product * (rows / rowCount), 1)
  return wanted / share < Math.min(rowCount, ...termRows)
}
