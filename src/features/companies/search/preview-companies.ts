import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closed } from '../../../core/schema.ts'
import { defineOperation, type InputOf } from '../../operation.ts'
import {
  cachedPreview,
  estimateCosts,
  estimatedCosts,
  facetCountsSchema,
  membersWriter,
  nextAction,
  sampleOf,
  sampleRowsMax,
  suggestPaidSearch,
} from '../../search/index.ts'
import { canonicalCompanyFilters, companiesWanted, echoOf, publicFilters } from './company-filters.ts'
import { companySample, tellSample } from './company-hit.ts'
import { findCompanies } from './find-companies.ts'
import { answerBasis, answered, hideIdentity, identityMatch } from './identity-match.ts'
import { refusePlatformBrand } from './platform-brands.ts'
import example from './preview-companies.example.json' with { type: 'json' }
import { searchCompanies } from './search-companies.ts'

const price = 'company.search_row'

const told = Type.Object(
  {
    query: echoOf(publicFilters),
    total_count: Type.Integer({ description: 'All Companies that match.' }),
    estimated_costs: estimatedCosts,
    next_action: nextAction,
    facet_counts: facetCountsSchema,
    sample: sampleOf(companySample),
    identity_match: identityMatch,
    answered,
    answer_basis: answerBasis,
  },
  closed,
)
const writeTold = membersWriter<Static<typeof told>>(told)

const query = Type.Object(publicFilters, closed)

export const previewCompanies = defineOperation({
  name: 'preview_companies',
  method: 'GET',
  path: '/v1/companies/search/preview',
  tag: 'Companies',
  section: '§4.4',
  summary: 'Preview a Company search',
  description: `Free: how many Companies match, how they spread over the filters, what the paid search would cost, and up to
${sampleRowsMax} redacted rows. \`next_action.href\` is that search, ready to be sent. It searches as the paid search does, but not by
payment method, supplier or platform; a \`q\` that names a reviewed platform is 400 \`platform_brand_in_query\`.`,
  query,
  data: told,
  written: Object.keys(told.properties),
  prices: [],
  failures: ['invalid_domain', 'platform_brand_in_query', 'search_unavailable'],
  demo: [
    { title: 'By name', query: { q: 'lucky otter' } },
    { title: 'Operators licensed in Great Britain', query: { role: 'operator', jurisdiction: 'ukgc' } },
    { title: 'The Company behind a site', query: { domain: 'twofaced.example' } },
    { title: 'A typing error', query: { q: 'Grenfinch' } },
    { title: 'Nothing matches', query: { q: 'nobody of that name' } },
  ],
  example,
  canonical: canonicalCompanyFilters,

  async quote({ world }, filters: InputOf<typeof query>) {
    if (filters.q !== undefined) await refusePlatformBrand(world, filters.q)
    const delivery = await cachedPreview(world, 'companies', filters, async () => {
      const wanted = companiesWanted(filters)
      const sampled = await findCompanies(world, wanted, { offset: 0 }, sampleRowsMax)
      const { found, facets, identity, isAnswered, basis } = sampled
      const { total, version } = found
      const data: Static<typeof told> = {
        query: filters,
        total_count: total,
        estimated_costs: estimateCosts(price, total),
        next_action: suggestPaidSearch(searchCompanies.path, price, filters, total),
        facet_counts: facets,
        sample: found.rows.map(tellSample),
        identity_match: identity === null ? null : hideIdentity(identity, filters.q ?? filters.domain ?? ''),
        answered: isAnswered,
        answer_basis: basis,
      }
      return { delivery: { data, written: writeTold(data), charges: [] }, version }
    })
    return { ceiling: 0, deliver: async () => delivery }
  },
})
