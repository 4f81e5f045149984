import type { World } from '../../database/open.ts'
import type { VersionedResult } from './at-one-version.ts'
import type { ResultRow, SearchPosition } from './contract.ts'
import { cachedFacets } from './count-facets.ts'
import { type FilterRow, readFilterPage } from './filter-page-store.ts'
import { nothing, type PageContext, type PageOfRows } from './page-start.ts'
import type { PreparedQuery } from './prepare-query.ts'
import { summarise } from './summarise.ts'

export async function filterPage(
  world: World,
  { prepared, start, limit, facets }: PageContext,
): Promise<VersionedResult<PageOfRows>> {
  const summary = await summarise(world, prepared)
  const { total, basis } = summary
  if (total === 0) return { result: nothing, version: null }
  const { position, rowsBefore } = start
  const isScan = isScanFaster(prepared, position, limit)
  const page = await readFilterPage(world, prepared.match, { position, limit: limit + 1, isScan })
  const rows = page.rows.slice(0, limit).map((row, index) => resultRow(row, rowsBefore + index + 1))
  const last = page.rows.length > limit ? page.rows[limit - 1] : undefined
  const next = last === undefined ? null : positionAfter(last, rowsBefore + rows.length)
  const counted = summary.version === page.version ? cachedFacets(summary, facets) : null
  return { result: { total, basis, rows, next, facets: counted }, version: page.version }
}

const resultRow = ({ id, hit }: FilterRow, rank: number): ResultRow => ({
  id,
  hit,
  rank,
  score: null,
  matchedFields: [],
  highlight: {},
})

const positionAfter = (row: FilterRow, rowsBefore: number) => [
  String(row.missing),
  row.sortName,
  row.ref,
  String(rowsBefore),
]

/** Whether walking the rows in order is faster than sorting all matches, if terms are independent. */
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
