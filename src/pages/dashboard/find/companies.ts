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
  table,
} from '../../components/index.ts'
import { html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'
import { addressOf, facetNavigation, filterForm, givenFilters, listOffer, rowsPart } from './finder.ts'

const path = '/dashboard/companies'
const nouns = ['Company', 'Companies'] as const

type Hit = NonNullable<CompaniesFound['bought']>['response']['hits'][number]
type Sample = NonNullable<CompaniesFound['preview']>['sample'][number]

const roles = (of: readonly string[]) => of.map(each => labelOf('role', each)).join(', ')

const hitTable = defineTable<CompaniesFound, Hit>('companies', ({ bought }) => ({
  name: 'Companies',
  columns: [
    {
      name: 'Company',
      cell: row =>
        html`<a href="${companyPath(row.company_ref)}">${row.company_name ?? 'Without a name'}</a>`,
      key: 'company_name',
    },
    ...fileOnly('company_ref', 'legal_entity'),
    { name: 'Role', cell: row => roles(row.role), key: 'role' },
    {
      name: 'Markets',
      cell: row => someOf(row.jurisdictions.map(marketLink), 3),
      key: 'markets',
      value: row => row.jurisdictions.map(marketName),
    },
    {
      name: 'Site',
      cell: row => row.primary_domain && domainLink(row.primary_domain.domain),
      key: 'primary_domain',
      value: row => row.primary_domain?.domain ?? null,
    },
    { name: 'Sites', cell: row => number(row.domain_count), key: 'domain_count', isNumber: true },
    { name: 'Licenses', cell: row => number(row.license_count), key: 'license_count', isNumber: true },
    { name: 'People', cell: row => row.contacts_available && 'yes', key: 'contacts_available' },
  ],
  rows: bought?.response.hits ?? [],
}))

const sampleTable = (rows: readonly Sample[]) =>
  rows.length > 0 &&
  table({
    name: 'The first of them, masked',
    columns: [
      { name: 'Company', cell: row => row.company_name ?? 'Without a name' },
      { name: 'Role', cell: row => roles(row.role) },
      { name: 'Markets', cell: row => someOf(row.jurisdictions.map(marketLink), 3) },
      { name: 'Sites', cell: row => number(row.domain_count), isNumber: true },
      { name: 'Licenses', cell: row => number(row.license_count), isNumber: true },
    ],
    rows,
  })

const companiesPage: Page<CompaniesFound> = {
  title: 'Companies',
  lead: 'Find operators and suppliers. Counts and masked rows are free; a row costs 1 credit.',
  tables: [hitTable],
  body: (found, view) => html`${filterForm(view, path, found, [
    ['q', 'Name, brand or site'],
    ['platform', 'On the platform'],
    ['payment_method', 'Takes the payment method'],
    ['supplier_brand', 'Has games of'],
  ])}
${givenFilters(path, found)}
${found.preview !== null && facetNavigation(path, found, found.preview.facet_counts)}
${
  found.preview === null &&
  html`<p class="hint">Platforms, payment methods and suppliers are sold: how many match is known after the
first page. <a href="${addressOf(path, {})}">Without filters</a></p>`
}
${rowsPart(view, found, {
  path,
  nouns,
  table: () => hitTable.draw(found, view),
  sample: found.page === 1 && found.preview !== null && sampleTable(found.preview.sample),
})}
${listOffer(path, found, nouns, view)}`,
}

export const companySearchPages: Readonly<Record<string, Shown>> = {
  find_companies: companiesPage,
  buy_companies: {
    next: ({ filters }: { filters: Record<string, string> }) => addressOf(path, filters),
    form: 'find_companies',
  },
}
