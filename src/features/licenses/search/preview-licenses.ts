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
import { canonicalLicenseFilters, echoedFilters, licenseFilters } from './license-filters.ts'
import { answerBasis, licenseSample, tellSample } from './license-hit.ts'
import { matchLicenses } from './match-licenses.ts'
import example from './preview-licenses.example.json' with { type: 'json' }
import { searchLicenses } from './search-licenses.ts'

const price = 'license.search_row'

const told = Type.Object(
  {
    query: echoedFilters,
    total_count: Type.Integer({ description: 'All licenses that match.' }),
    estimated_costs: estimatedCosts,
    next_action: nextAction,
    facet_counts: facetCountsSchema,
    sample: sampleOf(licenseSample),
    answer_basis: answerBasis,
  },
  closed,
)
const writeTold = membersWriter<Static<typeof told>>(told)

const query = Type.Object(licenseFilters, closed)

export const previewLicenses = defineOperation({
  name: 'preview_licenses',
  method: 'GET',
  path: '/v1/licenses/search/preview',
  tag: 'Licenses',
  section: '§4.10',
  summary: 'Preview a license search',
  description: `Free: how many licenses match, how they spread over the filters, what the paid search would cost, and up to
${sampleRowsMax} redacted rows. \`next_action.href\` is that search, ready to be sent.`,
  query,
  data: told,
  written: Object.keys(told.properties),
  prices: [],
  failures: ['invalid_domain', 'search_unavailable'],
  demo: [
    { title: 'Active licenses of Malta', query: { jurisdiction: 'mga', license_status: 'active' } },
    { title: 'By company name', query: { q: 'ottermoor' } },
    { title: 'By license number', query: { q: '099101-R-339101' } },
    { title: 'The licenses of a site', query: { q: 'https://luckyotter.example/' } },
    { title: 'Nothing matches', query: { q: 'nobody of that name' } },
  ],
  example,
  canonical: canonicalLicenseFilters,

  async quote({ world }, filters: InputOf<typeof query>) {
    const delivery = await cachedPreview(world, 'licenses', filters, async () => {
      const { found, facets, matches } = await matchLicenses(world, filters, { offset: 0 }, sampleRowsMax)
      const { total, basis, version } = found
      const data: Static<typeof told> = {
        query: filters,
        total_count: total,
        estimated_costs: estimateCosts(price, total),
        next_action: suggestPaidSearch(searchLicenses.path, price, filters, total),
        facet_counts: facets,
        sample: found.rows.map(row => tellSample(row, matches)),
        answer_basis: basis,
      }
      return { delivery: { data, written: writeTold(data), charges: [] }, version }
    })
    return { ceiling: 0, deliver: async () => delivery }
  },
})
