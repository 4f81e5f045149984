import { Type } from 'typebox'
import { sealCursor } from '../../../core/cursor.ts'
import { closed } from '../../../core/schema.ts'
import { costOf } from '../../../metering/pricing.ts'
import { defineOperation, type InputOf } from '../../operation.ts'
import { pageLinks, pagePosition, pagingOutput } from '../../paging.ts'
import { quotePage } from '../../quote-page.ts'
import {
  billPage,
  facetCountsSchema,
  pageInput,
  pageSizeDefault,
  searchBilling,
  writePage,
  writerOf,
  writtenOfPage,
} from '../../search/index.ts'
import { canonicalLicenseFilters, echoedFilters, licenseFilters } from './license-filters.ts'
import { answerBasis, licenseHit, writeHit } from './license-hit.ts'
import { matchLicenses } from './match-licenses.ts'
import example from './search-licenses.example.json' with { type: 'json' }

const feed = 'lic1'

const query = Type.Object({ ...licenseFilters, ...pageInput }, closed)
const writeQuery = writerOf(echoedFilters)

export const searchLicenses = defineOperation({
  name: 'search_licenses',
  method: 'GET',
  path: '/v1/licenses/search',
  tag: 'Licenses',
  section: '§4.11',
  summary: 'Search licenses',
  description: `Licenses that registers have today, by text and filters, ranked. Costs ${costOf('license.search_row')} a row; an empty page is free.
Text is searched in license number, jurisdiction, type, and all that the holder is called: company name, legal entity, brands and aliases. A \`domain\`, or a \`q\` that is one, finds the licenses of
that site alone, each with its \`domain_match_basis\`.`,
  query,
  data: Type.Object(
    {
      query: echoedFilters,
      total: Type.Integer({ description: 'All licenses that match.' }),
      page: Type.Integer(),
      page_size: Type.Integer(),
      ...pagingOutput,
      hits: Type.Array(licenseHit),
      facet_counts: facetCountsSchema,
      answer_basis: answerBasis,
      billing: searchBilling,
    },
    closed,
  ),
  written: writtenOfPage,
  prices: ['license.search_row'],
  failures: [
    'invalid_domain',
    'page_out_of_range',
    'invalid_cursor',
    'cursor_filter_mismatch',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
    'search_unavailable',
  ],
  demo: [
    { title: 'Active licenses of Malta', query: { jurisdiction: 'mga', license_status: 'active' } },
    { title: 'By company name', query: { q: 'ottermoor' } },
    { title: 'By license number', query: { q: '099101-R-339101' } },
    { title: 'The licenses of a site', query: { domain: 'luckyotter.example' } },
    { title: 'Nothing matches, and nothing is charged', query: { q: 'nobody of that name' } },
  ],
  example,
  canonical: canonicalLicenseFilters,

  async quote({ world }, input: InputOf<typeof query>) {
    const {
      page = 1,
      page_size: pageSize = pageSizeDefault,
      after,
      max_credits: maxCredits,
      ...filters
    } = input
    const secret = await world.cursorSecret()
    const scope = { feed, filters }
    const asked = { page, size: { parameter: 'page_size', rows: pageSize }, after, scope } as const
    const position = pagePosition(asked, secret)
    const sale = { price: 'license.search_row', hasPaidFilter: false } as const
    return quotePage(asked, sale, async () => {
      const { found, facets, matches } = await matchLicenses(world, filters, position, pageSize)
      const { charges, billing } = billPage(sale.price, found.rows.length, pageSize, maxCredits)
      const data = {
        query: filters,
        total: found.total,
        page,
        page_size: pageSize,
        ...pageLinks(found.next === null ? null : sealCursor(scope, found.next, secret)),
        hits: [],
        facet_counts: facets,
        answer_basis: found.basis,
        billing,
      }
      const hits = found.rows.map(row => writeHit(row, matches))
      return { data, written: writePage(data, writeQuery(filters), hits), charges }
    })
  },
})
