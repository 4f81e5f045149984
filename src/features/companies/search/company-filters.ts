import { type TProperties, Type } from 'typebox'
import {
  canonicalFilters,
  echoedFilters,
  filterInput,
  type SearchFilters,
  type SearchQuery,
  trimmedText,
} from '../../search/index.ts'
import { paymentCategory, role } from '../../value-sets.ts'

const geoCharactersMax = 64
const nameCharactersMax = 200

/** The filters that reveal no paid data (§4.4). */
export const publicFilters = {
  q: filterInput.q,
  domain: filterInput.domain,
  role: Type.Optional(role({ description: 'A Company may have several roles.' })),
  jurisdiction: filterInput.jurisdiction,
  license_status: filterInput.license_status,
  payment_category: Type.Optional(
    paymentCategory('Companies with a site currently observed to accept that category.'),
  ),
  has_platform: Type.Optional(
    Type.Boolean({
      description: 'false: no reviewed platform is published. The Company may still have one.',
    }),
  ),
  affiliate_program: Type.Optional(Type.Boolean({ description: 'Whether an affiliate program is known.' })),
  geo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: geoCharactersMax,
      description: 'A place that the Company or its sites appear to address, as in `geo_hints`, in any case.',
    }),
  ),
  group: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: nameCharactersMax,
      description: 'Members of that group, as staff stated them with a source, in any case.',
    }),
  ),
}

const observedName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: nameCharactersMax, description }))

const soldFilters = {
  payment_method: observedName('Companies with a site currently observed with that payment method.'),
  supplier_brand: observedName('Companies with a site currently observed with that supplier brand.'),
  platform: observedName(
    'Companies with a site whose most recent reading names that reviewed platform, by key, name or ' +
      'alias. Another name matches nothing.',
  ),
}

export const paidFilters = { ...publicFilters, ...soldFilters }

export function hasPaidFilter(filters: SearchFilters): boolean {
  return Object.keys(soldFilters).some(name => filters[name] !== undefined)
}

export const echoOf = (filters: TProperties) =>
  echoedFilters(filters, 'The given filters, as they were searched.')

const freeTexts = {
  geo: geoCharactersMax,
  group: nameCharactersMax,
  payment_method: nameCharactersMax,
  supplier_brand: nameCharactersMax,
  platform: nameCharactersMax,
}

export function canonicalCompanyFilters<Input extends SearchFilters>(input: Input): Input {
  const canonical: SearchFilters = canonicalFilters(input)
  for (const [name, charactersMax] of Object.entries(freeTexts)) {
    const text = canonical[name]
    if (typeof text === 'string') canonical[name] = trimmedText(name, text, 1, charactersMax)
  }
  return canonical as Input
}

export function companyQuery({ q, domain, ...exact }: SearchFilters): SearchQuery {
  const filters = Object.entries(exact)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value: String(value) }))
  return { subject: 'company', text: q, domain, filters }
}
