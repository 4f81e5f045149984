import type { World } from '../../../database/open.ts'
import {
  type FoundPage,
  findPage,
  type IdentifiedCompany,
  identify,
  isInResult,
  type PageRequest,
  type SearchFilters,
  type SearchQuery,
  type SearchResult,
} from '../../search/index.ts'
import { companyQuery } from './company-filters.ts'

export type FoundCompanies = FoundPage & {
  identity: IdentifiedCompany | null
  /** Whether the identified Company is in the result; null without a text. */
  isAnswered: boolean | null
}

export function findCompanies(
  world: World,
  filters: SearchFilters,
  page: PageRequest,
): Promise<FoundCompanies> {
  const query = companyQuery(filters)
  return findPage(world, query, page, async result => {
    const identity = await identify(world, query, result.version)
    const isAnswered = query.text === undefined ? null : await isFound(world, query, result, identity)
    return { identity, isAnswered }
  })
}

async function isFound(
  world: World,
  query: SearchQuery,
  { total, rows, version }: SearchResult,
  identity: IdentifiedCompany | null,
): Promise<boolean> {
  if (identity === null || total === 0) return false
  const { companyId } = identity
  return rows.some(row => row.id === companyId) || isInResult(world, query, companyId, version)
}
