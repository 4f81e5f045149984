import { closedObject } from '../../../core/schema.ts'
import { defineOperation } from '../../operation.ts'
import { membersWriter, previewData, quotePreview, sampleRowsMax } from '../../search/index.ts'
import { canonicalCompanyFilters, echoOf, publicFilters } from './company-filters.ts'
import { companySample, companySampleOf } from './company-hit.ts'
import { findCompanyPage, identityMembers, identityMembersOf } from './identity-match.ts'
import { refusePlatformBrand } from './platform-brands.ts'
import example from './preview-companies.example.json' with { type: 'json' }
import { searchCompanies } from './search-companies.ts'

const name = 'preview_companies'
const data = previewData('Companies', {
  query: echoOf(publicFilters),
  sample: companySample,
  members: identityMembers,
})
const write = membersWriter(data)

export const previewCompanies = defineOperation({
  name,
  method: 'GET',
  path: '/v1/companies/search/preview',
  tag: 'Companies',
  section: '§4.4',
  summary: 'Preview a Company search',
  description: `Free: how many Companies match, their counts by filter value, what the paid search
would cost, and up to ${sampleRowsMax} redacted rows. \`next_action.href\` is the paid search, ready to send.
The preview does not accept
\`payment_method\`, \`supplier_brand\` or \`platform\`; a \`q\` that names a reviewed platform is 400
\`platform_brand_in_query\`.`,
  query: closedObject(publicFilters),
  data,
  written: Object.keys(data.properties),
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

  async quote({ world }, filters) {
    await refusePlatformBrand(world, filters.q)
    return quotePreview(world, filters, {
      name,
      path: searchCompanies.path,
      price: 'company.search_row',
      write,
      async find(page) {
        const found = await findCompanyPage(world, filters, page)
        return {
          ...found,
          sample: found.result.rows.map(companySampleOf),
          members: identityMembersOf(found, filters, false),
        }
      },
    })
  },
})
