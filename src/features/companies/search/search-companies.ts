import { closedObject } from '../../../core/schema.ts'
import { costOf } from '../../../metering/pricing.ts'
import { defineOperation } from '../../operation.ts'
import {
  quoteSearch,
  searchData,
  searchFailures,
  searchPageInput,
  writerOf,
  writtenOfPage,
} from '../../search/index.ts'
import { canonicalCompanyFilters, echoOf, hasPaidFilter, paidFilters } from './company-filters.ts'
import { companyHit, writeCompanyHit } from './company-hit.ts'
import { findCompanyPage, identityMembers, identityMembersOf } from './identity-match.ts'
import example from './search-companies.example.json' with { type: 'json' }

const price = 'company.search_row'
const echo = echoOf(paidFilters)
const writeQuery = writerOf(echo)

export const searchCompanies = defineOperation({
  name: 'search_companies',
  method: 'GET',
  path: '/v1/companies/search',
  tag: 'Companies',
  section: '§4.5',
  summary: 'Search Companies',
  description: `Companies by text and filters, ranked. Costs ${costOf(price)} a row; an empty page is free.
Text is searched in names, legal entity, brands, aliases and domains. Exact names come first, then names
that begin with the text, then those that contain all its words. Similar names are returned only if none
of these match (\`answer_basis: similar\`). Without \`q\`, the most complete Companies come first.
With \`payment_method\`, \`supplier_brand\` or \`platform\` a whole page is quoted, which \`max_credits\` and
the balance must cover, and a \`page\` after the last one is as if nothing matched.`,
  query: closedObject({ ...paidFilters, ...searchPageInput }),
  data: searchData('Companies', { query: echo, hit: companyHit, members: identityMembers }),
  written: writtenOfPage,
  prices: [price],
  failures: searchFailures,
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

  quote: ({ world }, input) =>
    quoteSearch(world, input, {
      price,
      feed: 'com1',
      writeQuery,
      hasPaidFilter,
      async find(filters, page) {
        const found = await findCompanyPage(world, filters, page)
        return {
          ...found,
          hits: found.result.rows.map(writeCompanyHit),
          members: identityMembersOf(found, filters, true),
        }
      },
    }),
})
