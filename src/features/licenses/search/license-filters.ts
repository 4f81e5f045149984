import { Type } from 'typebox'
import { readDomain } from '../../../core/domain-name.ts'
import {
  canonicalFilters,
  echoedFilters,
  filterInput,
  type SearchFilters,
  type SearchQuery,
  trimmedText,
} from '../../search/index.ts'

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

export const echo = echoedFilters(
  licenseFilters,
  'The given filters, as they were searched: a `q` that is a domain becomes `domain`.',
)

export function canonicalLicenseFilters(input: SearchFilters): SearchFilters {
  const { q, ...canonical }: SearchFilters = canonicalFilters(input)
  const { domain, license_type: type } = canonical
  if (typeof type === 'string')
    canonical.license_type = trimmedText('license_type', type, 1, typeCharactersMax)
  const reading = q === undefined ? undefined : readDomain(q)
  if (reading?.ok && (domain === undefined || domain === reading.domain)) canonical.domain = reading.domain
  else if (q !== undefined) canonical.q = q
  return canonical
}

/** `ids`: the licenses of the domain, which is not a filter of the engine. */
export function licenseQuery(
  { q, domain: _, ...exact }: SearchFilters,
  ids: readonly number[] | undefined,
): SearchQuery {
  const filters = Object.entries(exact)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value: String(value) }))
  return { subject: 'license', text: q, filters, ids }
}
