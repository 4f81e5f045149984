import type { Static } from '../../../core/operation.ts'
import type { World } from '../../../database/open.ts'
import {
  facetCounts,
  facetFields,
  requireKnownStatus,
  type SearchPosition,
  type SearchQuery,
  searchRows,
} from '../../search/index.ts'
import { type DomainMatches, readDomainMatches } from './domain-matches-store.ts'
import type { echoedFilters } from './license-filters.ts'
import { licensesWanted } from './license-filters.ts'

/** One page of licenses, with all that preview and paid search tell of the whole result (§4.10, §4.11). */
export async function matchLicenses(
  world: World,
  filters: Static<typeof echoedFilters>,
  position: SearchPosition,
  rows: number,
) {
  const matches = filters.domain === undefined ? null : await readDomainMatches(world, filters.domain)
  const what = within(licensesWanted(filters), matches)
  await requireKnownStatus(world, what)
  const found = await searchRows(world, what, position, rows, facetFields.license)
  const facets = found.facets ?? (await facetCounts(world, what, facetFields.license, found.version))
  return { found, facets, matches }
}

function within(what: SearchQuery, matches: DomainMatches | null): SearchQuery {
  return matches === null ? what : { ...what, ids: [...matches.keys()].sort((a, b) => a - b) }
}
