import { costOf } from '../../../metering/pricing.ts'
import { declareSearch, sampleRowsMax } from '../../search/index.ts'
import { findLicenses } from './find-licenses.ts'
import { canonicalLicenseFilters, echo, licenseFilters } from './license-filters.ts'
import { answerBasis, licenseHit, licenseSample, sampleOf, writeHit } from './license-hit.ts'
import previewExample from './preview-licenses.example.json' with { type: 'json' }
import searchExample from './search-licenses.example.json' with { type: 'json' }

const price = 'license.search_row'

/** §4.10 and §4.11. */
export const licenseSearch = declareSearch({
  tag: 'Licenses',
  plural: 'licenses',
  price,
  feed: 'lic1',
  canonical: canonicalLicenseFilters,
  find: findLicenses,
  hit: licenseHit,
  writeHit,
  sample: licenseSample,
  sampleOf,
  members: { answer_basis: answerBasis },
  membersOf: ({ result }) => ({ answer_basis: result.basis }),
  search: {
    name: 'search_licenses',
    path: '/v1/licenses/search',
    section: '§4.11',
    summary: 'Search licenses',
    description: `Licenses that registers list today, by text and filters, ranked.
Costs ${costOf(price)} a row; an empty page is free. Text is searched in license number,
jurisdiction, type, and the holder's company name, legal entity, brands and aliases. A \`domain\`,
or a \`q\` that is one, finds the licenses of that site alone, each with its \`domain_match_basis\`.`,
    filters: licenseFilters,
    echo,
    hasPaidFilter: () => false,
    demo: [
      { title: 'Active licenses of Malta', query: { jurisdiction: 'mga', license_status: 'active' } },
      { title: 'By company name', query: { q: 'ottermoor' } },
      { title: 'By license number', query: { q: '099101-R-339101' } },
      { title: 'The licenses of a site', query: { domain: 'luckyotter.example' } },
      { title: 'Nothing matches, and nothing is charged', query: { q: 'nobody of that name' } },
    ],
    example: searchExample,
  },
  preview: {
    name: 'preview_licenses',
    path: '/v1/licenses/search/preview',
    section: '§4.10',
    summary: 'Preview a license search',
    description: `Free: how many licenses match, their counts by filter value, what the paid search
would cost, and up to ${sampleRowsMax} redacted rows. \`next_action.href\` is the paid search, ready to
send.`,
    filters: licenseFilters,
    echo,
    failures: [],
    check: async () => {},
    demo: [
      { title: 'Active licenses of Malta', query: { jurisdiction: 'mga', license_status: 'active' } },
      { title: 'By company name', query: { q: 'ottermoor' } },
      { title: 'By license number', query: { q: '099101-R-339101' } },
      { title: 'The licenses of a site', query: { q: 'https://luckyotter.example/' } },
      { title: 'Nothing matches', query: { q: 'nobody of that name' } },
    ],
    example: previewExample,
  },
})
