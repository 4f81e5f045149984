import { costOf } from '../../../metering/pricing.ts'
import { declareSearch, sampleRowsMax } from '../../search/index.ts'
import {
  canonicalCompanyFilters,
  echoOf,
  hasPaidFilter,
  paidFilters,
  publicFilters,
} from './company-filters.ts'
import { companyHit, companySample, sampleOf, writeHit } from './company-hit.ts'
import { findCompanies } from './find-companies.ts'
import { identityMembers, identityMembersOf } from './identity-match.ts'
import { refusePlatformBrand } from './platform-brands.ts'
import previewExample from './preview-companies.example.json' with { type: 'json' }
import searchExample from './search-companies.example.json' with { type: 'json' }

const price = 'company.search_row'

/** §4.4 and §4.5. */
export const companySearch = declareSearch({
  tag: 'Companies',
  plural: 'Companies',
  price,
  feed: 'com1',
  canonical: canonicalCompanyFilters,
  find: findCompanies,
  hit: companyHit,
  writeHit,
  sample: companySample,
  sampleOf,
  members: identityMembers,
  membersOf: identityMembersOf,
  search: {
    name: 'search_companies',
    path: '/v1/companies/search',
    section: '§4.5',
    summary: 'Search Companies',
    description: `Companies by text and filters, ranked. Costs ${costOf(price)} a row; an empty page is free.
Text is searched in names, legal entity, brands, aliases and domains. Exact names come first, then names
that begin with the text, then those that contain all its words. Similar names are returned only if none
of these match (\`answer_basis: similar\`). Without \`q\`, the most complete Companies come first.
With \`payment_method\`, \`supplier_brand\` or \`platform\` a whole page is quoted, which \`max_credits\` and
the balance must cover, and a \`page\` after the last one is as if nothing matched.`,
    filters: paidFilters,
    echo: echoOf(paidFilters),
    hasPaidFilter,
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
    example: searchExample,
  },
  preview: {
    name: 'preview_companies',
    path: '/v1/companies/search/preview',
    section: '§4.4',
    summary: 'Preview a Company search',
    description: `Free: how many Companies match, their counts by filter value, what the paid search
would cost, and up to ${sampleRowsMax} redacted rows. \`next_action.href\` is the paid search, ready to send.
The preview does not accept
\`payment_method\`, \`supplier_brand\` or \`platform\`; a \`q\` that names a reviewed platform is 400
\`platform_brand_in_query\`.`,
    filters: publicFilters,
    echo: echoOf(publicFilters),
    failures: ['platform_brand_in_query'],
    check: (world, { q }) => refusePlatformBrand(world, q),
    demo: [
      { title: 'By name', query: { q: 'lucky otter' } },
      { title: 'Operators licensed in Great Britain', query: { role: 'operator', jurisdiction: 'ukgc' } },
      { title: 'The Company behind a site', query: { domain: 'twofaced.example' } },
      { title: 'A typing error', query: { q: 'Grenfinch' } },
      { title: 'Nothing matches', query: { q: 'nobody of that name' } },
    ],
    example: previewExample,
  },
})
