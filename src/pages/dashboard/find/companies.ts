import type { CompaniesFound } from '../../../features/look-ups/index.ts'
import {
  companyPath,
  defineTable,
  domainLink,
  fileOnly,
  labelOf,
  marketLink,
  marketName,
  number,
  someOf,
} from '../../components/index.ts'
import { html } from '../../html.ts'
import { finderPages } from './finder.ts'

type Hit = NonNullable<CompaniesFound['bought']>['response']['hits'][number]
type Sample = NonNullable<CompaniesFound['preview']>['sample'][number]
/** A row that was bought, or a masked one. */
type Row = Sample & Partial<Hit>

const rowTable = defineTable<CompaniesFound, Row>('companies', ({ bought, preview }) => ({
  name: bought === null ? 'The first of them, masked' : 'Companies',
  columns: [
    {
      name: 'Company',
      cell({ company_name: name, company_ref: ref }) {
        const shown = name ?? 'Without a name'
        return ref === undefined ? shown : html`<a href="${companyPath(ref)}">${shown}</a>`
      },
      key: 'company_name',
    },
    ...fileOnly('company_ref', 'legal_entity'),
    { name: 'Role', cell: row => row.role.map(each => labelOf('role', each)).join(', '), key: 'role' },
    {
      name: 'Markets',
      cell: row => someOf(row.jurisdictions.map(marketLink), 3),
      key: 'markets',
      value: row => row.jurisdictions.map(marketName),
    },
    ...(bought === null
      ? []
      : [
          {
            name: 'Site',
            cell: (row: Row) => row.primary_domain && domainLink(row.primary_domain.domain),
            key: 'primary_domain',
            value: (row: Row) => row.primary_domain?.domain ?? null,
          },
        ]),
    { name: 'Sites', cell: row => number(row.domain_count), key: 'domain_count', isNumber: true },
    { name: 'Licenses', cell: row => number(row.license_count), key: 'license_count', isNumber: true },
  ],
  rows: bought?.response.hits ?? preview?.sample ?? [],
  empty: html`<p class="hint">Platforms, payment methods and suppliers are sold: how many match is known after
the first page.</p>`,
}))

export const companySearchPages = finderPages<CompaniesFound>({
  noun: 'companies',
  title: 'Companies',
  lead: 'Find operators and suppliers. Counts and masked rows are free; a row costs 1 credit.',
  nouns: ['Company', 'Companies'],
  table: rowTable,
  fields: [
    ['q', 'Name, brand or site'],
    ['group', 'Of the group'],
    ['platform', 'On the platform'],
    ['payment_method', 'Takes the payment method'],
    ['supplier_brand', 'Has games of'],
  ],
  facets: ({ preview }) => preview?.facet_counts ?? [],
})
