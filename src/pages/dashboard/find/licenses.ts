import type { LicensesFound } from '../../../features/look-ups/index.ts'
import {
  companyPath,
  defineTable,
  fileOnly,
  licenseBadge,
  licensePath,
  marketLink,
  marketName,
  number,
  tableLink,
  time,
} from '../../components/index.ts'
import { html } from '../../html.ts'
import { finderPages } from './finder.ts'

type Hit = NonNullable<LicensesFound['bought']>['response']['hits'][number]
/** A row that was bought, or a masked one. */
type Row = LicensesFound['preview']['sample'][number] & Partial<Hit>

const rowTable = defineTable<LicensesFound, Row>('licenses', ({ bought, preview }) => ({
  name: bought === null ? 'The first of them, masked' : 'Licenses',
  columns: [
    {
      name: 'Number',
      cell: ({ license_ref: ref, license_number: of }) =>
        ref === undefined ? '***' : html`<a href="${licensePath(ref)}">${of ?? 'no number published'}</a>`,
      key: 'license_number',
    },
    ...fileOnly('license_ref', 'company_ref'),
    {
      name: 'Holder',
      cell({ company_name: name, company_ref: ref }) {
        const shown = name ?? 'Without a name'
        return ref ? html`<a href="${companyPath(ref)}">${shown}</a>` : shown
      },
      key: 'company_name',
    },
    {
      name: 'Market',
      cell: row => marketLink(row.jurisdiction),
      key: 'market',
      value: row => marketName(row.jurisdiction),
    },
    { name: 'Type', cell: row => row.license_type ?? '', key: 'license_type' },
    { name: 'Status', cell: row => licenseBadge(row.status), key: 'status' },
    { name: 'Expires', cell: row => row.expires_at && time(row.expires_at), key: 'expires_at' },
    {
      name: 'Sites',
      cell: row => number(row.authorized_domain_count),
      key: 'authorized_domain_count',
      isNumber: true,
    },
  ],
  rows: bought?.response.hits ?? preview.sample,
}))

/** The statuses that decide whether a license counts, in words. */
const statusWords = [
  ['active', 'The register lists the license as in force.'],
  ['white_label', 'The site runs under the license of another firm. It counts.'],
  ['suspended', 'The regulator stopped it for now. It does not count.'],
  ['revoked', 'The regulator took it away.'],
  ['surrendered', 'The holder gave it back.'],
  ['expired', 'Its last day has passed.'],
  [null, 'The register publishes no status. The license counts while it is listed.'],
] as const

export const licenseSearchPages = finderPages<LicensesFound>({
  noun: 'licenses',
  title: 'Licenses',
  lead: 'Who is licensed where. Counts and masked rows are free; a row costs 1 credit.',
  nouns: ['license', 'licenses'],
  table: rowTable,
  fields: [['q', 'Number, holder or site']],
  facets: ({ preview }) => preview.facet_counts,
  help: ({
    address,
  }) => html`<p><a href="${tableLink(address, { sort: 'expires_at' })}">These rows, expiring first</a></p>
<details class="card"><summary>What the status means</summary><dl class="facts">${statusWords.map(
    ([status, meaning]) => html`<div><dt>${licenseBadge(status)}</dt><dd>${meaning}</dd></div>`,
  )}</dl></details>`,
})
