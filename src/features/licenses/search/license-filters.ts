import { Type } from 'typebox'
import { readDomain } from '../../../core/domain-name.ts'
import { closed } from '../../../core/schema.ts'
import { canonicalFilters, filterInput, type SearchQuery, trimmedText } from '../../search/index.ts'

const typeCharactersMax = 500

/** What preview and paid search are asked by (contract section 8). */
export const licenseFilters = {
  q: filterInput.q,
  domain: filterInput.domain,
  jurisdiction: filterInput.jurisdiction,
  license_status: filterInput.license_status,
  license_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: typeCharactersMax,
      description: 'As its register words it, in any case; `facet_counts` tells which there are.',
    }),
  ),
}

export const echoedFilters = Type.Object(licenseFilters, {
  ...closed,
  description:
    'The filters that were given, as they are searched: a `q` that is a domain stands as `domain`.',
})

type Filters = {
  q?: string
  domain?: string
  jurisdiction?: string
  license_status?: string
  license_type?: string
}

/** One spelling of every filter. A text that is a domain asks for that domain and nothing else (contract section 8). */
export function canonicalLicenseFilters<Input extends Filters>(input: Input): Input {
  const { q, ...others }: Filters = canonicalFilters(input)
  const { domain, license_type: type } = others
  const canonical: Filters = others
  if (type !== undefined) canonical.license_type = trimmedText('license_type', type, 1, typeCharactersMax)
  const reading = q === undefined ? undefined : readDomain(q)
  if (reading?.ok && (domain === undefined || domain === reading.domain)) canonical.domain = reading.domain
  else if (q !== undefined) canonical.q = q
  return canonical as Input
}

/** What the search engine is asked beside the domain, whose licenses are named by their ids. */
export function licensesWanted({ q, domain: _, ...exact }: Filters): SearchQuery {
  const filters = Object.entries(exact)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value }))
  return { subject: 'license', text: q, filters }
}
