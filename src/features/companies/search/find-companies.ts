import type { World } from '../../../database/open.ts'
import {
  facetCounts,
  facetFields,
  type Identified,
  identify,
  isAmong,
  requireKnownStatus,
  type SearchPosition,
  type SearchQuery,
  type SearchResult,
  searchRows,
} from '../../search/index.ts'

/** One page of Companies, with all that preview and paid search tell of the whole result (§4.4, §4.5). */
export async function findCompanies(world: World, what: SearchQuery, position: SearchPosition, rows: number) {
  await requireKnownStatus(world, what)
  const found = await searchRows(world, what, position, rows, facetFields.company)
  // After the page: the version that it is of, what it counted, and what a misspelt text may have meant, is known to these.
  const [facets, identity] = await Promise.all([
    found.facets ?? facetCounts(world, what, facetFields.company, found.version),
    identify(world, what, found.version),
  ])
  const isAnswered = what.text === undefined ? null : await holds(world, what, found, identity)
  return { found, facets, identity, isAnswered, basis: isAnswered ? ('identity' as const) : found.basis }
}

/** Whether the Company that is named exactly is in the whole result, on this page or another. */
async function holds(world: World, what: SearchQuery, found: SearchResult, identity: Identified | null) {
  if (identity === null || found.total === 0) return false
  const { companyId } = identity
  return found.rows.some(row => row.id === companyId) || isAmong(world, what, companyId, found.version)
}
