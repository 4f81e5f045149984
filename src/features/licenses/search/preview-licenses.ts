import { closedObject } from '../../../core/schema.ts'
import { defineOperation } from '../../operation.ts'
import { membersWriter, previewData, quotePreview, sampleRowsMax } from '../../search/index.ts'
import { canonicalLicenseFilters, findLicenses, licenseEcho, licenseFilters } from './license-filters.ts'
import { answerBasis, licenseSample, licenseSampleOf } from './license-hit.ts'
import example from './preview-licenses.example.json' with { type: 'json' }
import { searchLicenses } from './search-licenses.ts'

const name = 'preview_licenses'
const data = previewData('licenses', {
  query: licenseEcho,
  sample: licenseSample,
  members: { answer_basis: answerBasis },
})
const write = membersWriter(data)

export const previewLicenses = defineOperation({
  name,
  method: 'GET',
  path: '/v1/licenses/search/preview',
  tag: 'Licenses',
  section: '§4.10',
  summary: 'Preview a license search',
  description: `Free: how many licenses match, their counts by filter value, what the paid search
would cost, and up to ${sampleRowsMax} redacted rows. \`next_action.href\` is the paid search, ready to
send.`,
  query: closedObject(licenseFilters),
  data,
  written: Object.keys(data.properties),
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

  quote: ({ world }, filters) =>
    quotePreview(world, filters, {
      name,
      path: searchLicenses.path,
      price: 'license.search_row',
      write,
      async find(page) {
        const found = await findLicenses(world, filters, page)
        return {
          ...found,
          sample: found.result.rows.map(row => licenseSampleOf(row, found)),
          members: { answer_basis: found.result.basis },
        }
      },
    }),
})
