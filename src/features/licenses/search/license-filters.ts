import { readDomain } from '@baize/names'
import { Type } from 'typebox'
import type { World } from '../../../database/open.ts'
import {
  canonicalFilters,
  echoedFilters,
  type FoundPage,
  filterInput,
  findPage,
  limitedCount,
  type PageRequest,
  type SearchFilters,
  type SearchQuery,
  sampleCountMax,
  sampleRowsMax,
  searchRows,
  trimmedText,
} from '../../search/index.ts'
import { type DomainMatches, readDomainMatches } from './domain-matches-store.ts'
import { licenseSampleOf } from './license-hit.ts'

const typeCharactersMax = 500

export const licenseFilters = {
  q: filterInput.q,
  domain: filterInput.domain,
  jurisdiction: filterInput.jurisdiction,
  license_status: filterInput.license_status,
  license_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: typeCharactersMax,
      description: "In the register's wording, in any case; `facet_counts` lists the types.",
    }),
  ),
}

export const licenseEcho = echoedFilters(
  licenseFilters,
  'The given filters, as they were searched: a `q` that is a domain becomes `domain`.',
)

export function canonicalLicenseFilters<Input extends SearchFilters>(input: Input): Input {
  const { q, ...canonical }: SearchFilters = canonicalFilters(input)
  const { domain, license_type: type } = canonical
  if (typeof type === 'string')
    canonical.license_type = trimmedText('license_type', type, 1, typeCharactersMax)
  const reading = q === undefined ? undefined : readDomain(q)
  if (reading?.ok && (domain === undefined || domain === reading.domain)) canonical.domain = reading.domain
  else if (q !== undefined) canonical.q = q
  return canonical as Input
}

/** Builds the engine's query. `ids` are the licenses of the domain, which is not an engine filter. */
function licenseQuery(
  { q, domain: _, ...exact }: SearchFilters,
  ids: readonly number[] | undefined,
): SearchQuery {
  const filters = Object.entries(exact)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value: String(value) }))
  return { subject: 'license', text: q, filters, ids }
}

/** A page of licenses. `matches` is null if the query has no domain. */
export type FoundLicenses = FoundPage & { matches: DomainMatches | null }

export async function findLicenses(
  world: World,
  filters: SearchFilters,
  page: PageRequest,
): Promise<FoundLicenses> {
  const { query, matches } = await queryOf(world, filters)
  return findPage(world, query, page, async () => ({ matches }))
}

async function queryOf(world: World, filters: SearchFilters) {
  const { domain } = filters
  const matches = domain === undefined ? null : await readDomainMatches(world, domain)
  const ids = matches === null ? undefined : [...matches.keys()].sort((a, b) => a - b)
  return { query: licenseQuery(filters, ids), matches }
}

/** Returns what the preview of a text shows, without its facets and at most `sampleCountMax` as its count. */
export async function sampleLicenses(world: World, q: string) {
  const { query, matches } = await queryOf(world, canonicalLicenseFilters({ q }))
  const limited = { ...query, countMax: sampleCountMax }
  const { total, rows } = await searchRows(world, limited, { position: { offset: 0 }, rows: sampleRowsMax })
  return { ...limitedCount(total), sample: rows.map(row => licenseSampleOf(row, { matches })) }
}
