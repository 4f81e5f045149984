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
import {
  canonicalCompanyFilters,
  companiesWanted,
  echoOf,
  hasPaidFilter,
  paidFilters,
} from './company-filters.ts'
import { companyHit, writeHit } from './company-hit.ts'
import { findCompanies } from './find-companies.ts'
import { answerBasis, answered, hideIdentity, identityMatch, tellIdentity } from './identity-match.ts'
import example from './search-companies.example.json' with { type: 'json' }

const feed = 'com1'

const query = Type.Object({ ...paidFilters, ...pageInput }, closed)
const echo = echoOf(paidFilters)
const writeQuery = writerOf(echo)

export const searchCompanies = defineOperation({
  name: 'search_companies',
  method: 'GET',
  path: '/v1/companies/search',
  tag: 'Companies',
  section: '§4.5',
  summary: 'Search Companies',
  description: `Companies by text and filters, ranked. Costs ${costOf('company.search_row')} a row; an empty page is free. Text is searched in names,
legal entity, brands, aliases and domains. Exact names stand first, then names that begin with it, then those that hold all
its words; only if there is none of these, names like it (\`answer_basis: similar\`). Without \`q\`: the best known Companies first.
By \`payment_method\`, \`supplier_brand\` or \`platform\` it is quoted at a whole page, which \`max_credits\` and the balance have to cover.`,
  query,
  data: Type.Object(
    {
      query: echo,
      total: Type.Integer({ description: 'All Companies that match.' }),
      page: Type.Integer(),
      page_size: Type.Integer(),
      ...pagingOutput,
      hits: Type.Array(companyHit),
      facet_counts: facetCountsSchema,
      identity_match: identityMatch,
      answered,
      answer_basis: answerBasis,
      billing: searchBilling,
    },
    closed,
  ),
  written: writtenOfPage,
  prices: ['company.search_row'],
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
    { title: 'By name', query: { q: 'lucky otter', page_size: '5' } },
    { title: 'Operators licensed in Great Britain', query: { role: 'operator', jurisdiction: 'ukgc' } },
    { title: 'The Company behind a site', query: { domain: 'twofaced.example' } },
    {
      title: 'By supplier brand and payment category',
      query: { supplier_brand: 'Brass Turnip', payment_category: 'card' },
    },
    { title: 'A typing error', query: { q: 'Grenfinch' } },
    { title: 'Nothing matches, and nothing is charged', query: { q: 'nobody of that name' } },
  ],
  example,
  canonical: canonicalCompanyFilters,

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
    const sale = { price: 'company.search_row', hasPaidFilter: hasPaidFilter(filters) } as const
    return quotePage(asked, sale, async () => {
      const wanted = companiesWanted(filters)
      const { found, facets, identity, isAnswered, basis } = await findCompanies(
        world,
        wanted,
        position,
        pageSize,
      )
      const { charges, billing } = billPage(sale.price, found.rows.length, pageSize, maxCredits)
      // The ref and the legal name are what rows and profiles are paid for: a page identifies nobody but its rows.
      const isOnPage = found.rows.some(row => row.id === identity?.companyId)
      const tell = isOnPage ? tellIdentity : hideIdentity
      const data = {
        query: filters,
        total: found.total,
        page,
        page_size: pageSize,
        ...pageLinks(found.next === null ? null : sealCursor(scope, found.next, secret)),
        hits: [],
        facet_counts: facets,
        identity_match: identity === null ? null : tell(identity, filters.q ?? filters.domain ?? ''),
        answered: isAnswered,
        answer_basis: basis,
        billing,
      }
      const written = writePage(data, writeQuery(filters), found.rows.map(writeHit))
      return { data, written, charges }
    })
  },
})
