import { type TProperties, Type } from 'typebox'
import { closed } from '../../../core/schema.ts'
import { canonicalFilters, filterInput, type SearchQuery, trimmedText } from '../../search/index.ts'
import { paymentCategory, role } from '../../words.ts'

const geoCharactersMax = 64
const nameCharactersMax = 200

/** Filters that preview and paid search share: nothing that they tell is paid for (§4.4). */
export const publicFilters = {
  q: filterInput.q,
  domain: filterInput.domain,
  role: Type.Optional(role({ description: 'A Company may have several roles.' })),
  jurisdiction: filterInput.jurisdiction,
  license_status: filterInput.license_status,
  payment_category: Type.Optional(
    paymentCategory('Companies whose sites are currently observed taking that rail.'),
  ),
  has_platform: Type.Optional(
    Type.Boolean({
      description: 'false: no reviewed platform is published; it does not mean that the Company has none.',
    }),
  ),
  affiliate_program: Type.Optional(Type.Boolean({ description: 'Whether an affiliate program is known.' })),
  geo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: geoCharactersMax,
      description:
        'A place that the Company or its sites appear to address, as `geo_hints` names it, in any case.',
    }),
  ),
}

const observedName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: nameCharactersMax, description }))

/** Filters by what is observed and sold: paid search alone takes them. */
const soldFilters = {
  payment_method: observedName('Companies whose sites are currently observed with that payment method.'),
  supplier_brand: observedName('Companies whose sites are currently observed with that supplier brand.'),
  platform: observedName(
    'Companies with a site whose most recent reading names that reviewed platform, by key, name or alias; another name matches nothing.',
  ),
}

export const paidFilters = { ...publicFilters, ...soldFilters }

export function hasPaidFilter(filters: Filters): boolean {
  return Object.keys(soldFilters).some(name => filters[name] !== undefined)
}

/** The filters as they are echoed: those that were given, in the one spelling that is searched. */
export const echoOf = <Filters extends TProperties>(filters: Filters) =>
  Type.Object(filters, { ...closed, description: 'The filters that were given, as they are searched.' })

type Filters = {
  q?: string
  domain?: string
  license_status?: string
  [name: string]: unknown
}

const freeTexts = {
  geo: geoCharactersMax,
  payment_method: nameCharactersMax,
  supplier_brand: nameCharactersMax,
  platform: nameCharactersMax,
}

/** One spelling of every filter: texts without the blanks at their ends, the domain canonical. */
export function canonicalCompanyFilters<Input extends Filters>(input: Input): Input {
  const canonical: Record<string, unknown> = canonicalFilters(input)
  for (const [name, charactersMax] of Object.entries(freeTexts)) {
    const text = canonical[name]
    if (typeof text === 'string') canonical[name] = trimmedText(name, text, 1, charactersMax)
  }
  return canonical as Input
}

/** What the search engine is asked: the text, the domain, and every other filter as a term of its own. */
export function companiesWanted({ q, domain, ...exact }: Filters): SearchQuery {
  const filters = Object.entries(exact)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value: String(value) }))
  return { subject: 'company', text: q, domain, filters }
}
