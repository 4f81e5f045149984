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
import { canonicalLicenseFilters, findLicenses, licenseEcho, licenseFilters } from './license-filters.ts'
import { answerBasis, licenseHit, writeLicenseHit } from './license-hit.ts'
import example from './search-licenses.example.json' with { type: 'json' }

const price = 'license.search_row'
const writeQuery = writerOf(licenseEcho)

export const searchLicenses = defineOperation({
  name: 'search_licenses',
  method: 'GET',
  path: '/v1/licenses/search',
  tag: 'Licenses',
  section: '§4.11',
  summary: 'Search licenses',
  description: `Licenses that registers list today, by text and filters, ranked.
Costs ${costOf(price)} a row; an empty page is free. Text is searched in license number,
jurisdiction, type, and the holder's company name, legal entity, brands and aliases. A \`domain\`,
or a \`q\` that is one, finds the licenses of that site alone, each with its \`domain_match_basis\`.`,
  query: closedObject({ ...licenseFilters, ...searchPageInput }),
  data: searchData('licenses', {
    query: licenseEcho,
    hit: licenseHit,
    members: { answer_basis: answerBasis },
  }),
  written: writtenOfPage,
  prices: [price],
  failures: searchFailures,
  demo: [
    { title: 'Active licenses of Malta', query: { jurisdiction: 'mga', license_status: 'active' } },
    { title: 'By company name', query: { q: 'ottermoor' } },
    { title: 'By license number', query: { q: '099101-R-339101' } },
    { title: 'The licenses of a site', query: { domain: 'luckyotter.example' } },
    { title: 'Nothing matches, and nothing is charged', query: { q: 'nobody of that name' } },
  ],
  example,
  canonical: canonicalLicenseFilters,

  quote: ({ world }, input) =>
    quoteSearch(world, input, {
      price,
      feed: 'lic1',
      writeQuery,
      hasPaidFilter: () => false,
      async find(filters, page) {
        const found = await findLicenses(world, filters, page)
        return {
          ...found,
          hits: found.result.rows.map(row => writeLicenseHit(row, found)),
          members: { answer_basis: found.result.basis },
        }
      },
    }),
})
