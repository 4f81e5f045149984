import type { World } from '../../../database/open.ts'
import { type FoundPage, findPage, type PageRequest, type SearchFilters } from '../../search/index.ts'
import { type DomainMatches, readDomainMatches } from './domain-matches-store.ts'
import { licenseQuery } from './license-filters.ts'

/** `matches`: the licenses of the domain; null: the query has none. */
export type FoundLicenses = FoundPage & { matches: DomainMatches | null }

export async function findLicenses(
  world: World,
  filters: SearchFilters,
  page: PageRequest,
): Promise<FoundLicenses> {
  const { domain } = filters
  const matches = domain === undefined ? null : await readDomainMatches(world, domain)
  const ids = matches === null ? undefined : [...matches.keys()].sort((a, b) => a - b)
  return findPage(world, licenseQuery(filters, ids), page, async () => ({ matches }))
}
