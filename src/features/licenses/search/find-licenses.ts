import type { World } from '../../../database/open.ts'
import { type FoundPage, findPage, type PageRequest, type SearchFilters } from '../../search/index.ts'
import { type DomainMatches, readDomainMatches } from './domain-matches-store.ts'
import { licenseQuery } from './license-filters.ts'

/** `matches`: null if the query has no domain. */
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
