import type { LicensesFound } from '../../../features/look-ups/index.ts'
import {
  companyPath,
  defineTable,
  fileOnly,
  licensePath,
  marketLink,
  marketName,
  number,
  table,
  time,
} from '../../components/index.ts'
import { html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'
import { licenseBadge } from '../company.ts'
import { addressOf, facetNavigation, filterForm, givenFilters, listOffer, rowsPart } from './finder.ts'

const path = '/dashboard/licenses'
const nouns = ['license', 'licenses'] as const

type Hit = NonNullable<LicensesFound['bought']>['response']['hits'][number]
type Sample = LicensesFound['preview']['sample'][number]

const hitTable = defineTable<LicensesFound, Hit>('licenses', ({ bought }) => ({
  name: 'Licenses',
  columns: [
    {
      name: 'Number',
      cell: row =>
        html`<a href="${licensePath(row.license_ref)}">${row.license_number ?? 'no number published'}</a>`,
      key: 'license_number',
    },
    ...fileOnly('license_ref', 'company_ref'),
    {
      name: 'Holder',
      cell: row =>
        row.company_ref === null
          ? row.company_name
          : html`<a href="${companyPath(row.company_ref)}">${row.company_name ?? 'Without a name'}</a>`,
      key: 'company_name',
    },
    {
      name: 'Market',
      cell: row => marketLink(row.jurisdiction),
      key: 'market',
      value: row => marketName(row.jurisdiction),
      isFacet: true,
      facetName: value => value,
    },
    { name: 'Type', cell: row => row.license_type ?? '', key: 'license_type' },
    { name: 'Status', cell: row => licenseBadge(row.status), key: 'status', isFacet: true },
    { name: 'Expires', cell: row => row.expires_at && time(row.expires_at), key: 'expires_at' },
    {
      name: 'Sites',
      cell: row => number(row.authorized_domain_count),
      key: 'authorized_domain_count',
      isNumber: true,
    },
  ],
  rows: bought?.response.hits ?? [],
}))

const sampleTable = (rows: readonly Sample[]) =>
  rows.length > 0 &&
  table({
    name: 'The first of them, masked',
    columns: [
      { name: 'Holder', cell: row => row.company_name ?? 'Without a name' },
      { name: 'Market', cell: row => marketLink(row.jurisdiction) },
      { name: 'Type', cell: row => row.license_type ?? '' },
      { name: 'Status', cell: row => licenseBadge(row.status) },
      { name: 'Sites', cell: row => number(row.authorized_domain_count), isNumber: true },
    ],
    rows,
  })

const licensesPage: Page<LicensesFound> = {
  title: 'Licenses',
  lead: 'Who is licensed where. Counts and masked rows are free; a row costs 1 credit.',
  tables: [hitTable],
  body: (found, view) => html`${filterForm(view, path, found, [['q', 'Number, holder or site']])}
${givenFilters(path, found)}
${facetNavigation(path, found, found.preview.facet_counts)}
${rowsPart(view, found, {
  path,
  nouns,
  table: () => hitTable.draw(found, view),
  sample: found.page === 1 && sampleTable(found.preview.sample),
})}
${listOffer(path, found, nouns, view)}`,
}

export const licenseSearchPages: Readonly<Record<string, Shown>> = {
  find_licenses: licensesPage,
  buy_licenses: {
    next: ({ filters }: { filters: Record<string, string> }) => addressOf(path, filters),
    form: 'find_licenses',
  },
}
