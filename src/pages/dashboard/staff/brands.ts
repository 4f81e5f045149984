import { markets } from '@baize/names'
import type { BrandDomainList } from '../../../features/staff/index.ts'
import {
  type Column,
  defineTable,
  emptyState,
  field,
  fileOnly,
  form,
  time,
  viewOfForm,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Shown, View } from '../../page.ts'
import { marketCell } from '../domain/evidence.ts'

const within = '/dashboard/staff/brands'

type Row = BrandDomainList['brand_domains'][number]

const actionOf = ({ brand_domain_ref: ref }: Row, verb: string) =>
  `${within}/${encodeURIComponent(ref)}/${verb}`
const nameOf = ({ brand, market }: Row) => `${brand}, ${market}`
const byOf = (email: string | null) => email ?? 'a command'

const listedCell = ({ licenses }: Row) =>
  licenses === 0
    ? html`<p class="hint">No register names it today.</p>`
    : html`<p class="hint">Licenses in the register: ${licenses}.</p>`

const columns: readonly Column<Row>[] = [
  { name: 'Market', cell: row => marketCell(row.market), key: 'market', isFacet: true },
  { name: 'Brand', cell: row => html`${row.brand}${listedCell(row)}`, key: 'brand' },
  { name: 'Site', cell: row => html`<code>${row.domain}</code>`, key: 'domain' },
  {
    name: 'Source',
    cell: row =>
      html`<a href="${row.source_url}" rel="noreferrer">${new URL(row.source_url).hostname}</a>
<p class="hint">${row.source_day}</p>`,
    key: 'source_day',
  },
  ...fileOnly('source_url', 'licenses'),
]

function removal(row: Row, view: View, { summary, submit }: { summary: string; submit: string }): Content {
  const action = actionOf(row, 'remove')
  const of = viewOfForm(view, action)
  return html`<details${of.problem && html` open`}><summary>${summary}</summary>${form(
    { action, submit, tone: 'plain', name: `${submit} ${nameOf(row)}` },
    field(of, { name: 'reason', label: 'Why', required: true }),
  )}</details>`
}

function decisions(row: Row, view: View): Content {
  const approval = form({
    action: actionOf(row, 'approve'),
    submit: 'Approve',
    name: `Approve ${nameOf(row)}`,
    confirm: `Verdicts of ${row.domain} will say that it is licensed. Did you read the source?`,
  })
  const withdrawal = removal(row, view, { summary: 'Withdraw it', submit: 'Withdraw' })
  if (row.licenses === 0) return withdrawal
  return [row.is_own ? html`<p class="hint">Another person must approve it.</p>` : approval, withdrawal]
}

function entryForm(view: View): Html {
  const of = viewOfForm(view, within)
  const choices = markets
    .map(({ code, name }) => [code, name] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other))
  return form(
    { action: within, submit: 'Propose', name: 'Propose a site' },
    field(of, { name: 'market', label: 'Market', choices, required: true }),
    field(of, { name: 'brand', label: 'Brand', required: true, hint: 'As the register prints it.' }),
    field(of, { name: 'domain', label: 'Site', required: true, placeholder: 'example.com' }),
    field(of, { name: 'source_url', label: 'Source', required: true, placeholder: 'https://' }),
    field(of, { name: 'source_day', label: 'Read on', type: 'date', hint: 'Empty: today.' }),
    field(of, { name: 'reason', label: 'Why', required: true, rows: 2, hint: 'Only staff see it.' }),
  )
}

const withStatus = ({ brand_domains: rows }: BrandDomainList, ...statuses: Row['status'][]) =>
  rows.filter(each => statuses.includes(each.status))

const proposedTable = defineTable<BrandDomainList, Row>('proposed', (list, view) => ({
  name: 'Proposed sites',
  columns: [
    ...columns,
    {
      name: 'Entered',
      cell: row => html`${row.why}
<p class="hint">${byOf(row.entered_by)}, ${time(row.entered_at)}</p>${decisions(row, view)}`,
      key: 'entered_at',
    },
  ],
  rows: withStatus(list, 'proposed'),
  empty: emptyState('No site awaits approval.'),
}))

const approvedTable = defineTable<BrandDomainList, Row>('approved', (list, view) => ({
  name: 'Approved sites',
  columns: [
    ...columns,
    {
      name: 'Approved',
      cell: row => html`${time(row.known_from)}<p class="hint">${byOf(row.approved_by)}</p>`,
      key: 'known_from',
    },
    {
      name: 'End',
      cell: row => removal(row, view, { summary: 'Remove', submit: 'Remove' }),
      isUnnamed: true,
    },
  ],
  rows: withStatus(list, 'approved'),
  empty: emptyState('No site is approved.'),
}))

const closedTable = defineTable<BrandDomainList, Row>('closed', list => ({
  name: 'Removed and withdrawn sites',
  columns: [
    ...columns,
    { name: 'Status', cell: row => html`${row.status} ${time(row.known_to)}`, key: 'status' },
  ],
  rows: withStatus(list, 'removed', 'withdrawn'),
}))

function body(list: BrandDomainList, view: View): Html {
  return html`<section aria-labelledby="open"><h2 id="open">Awaiting approval</h2>
${proposedTable.draw(list, view)}</section>
<section aria-labelledby="approved"><h2 id="approved">Approved</h2>
${approvedTable.draw(list, view)}</section>
<section class="card" aria-labelledby="enter"><h2 id="enter">Propose a site</h2>${entryForm(view)}</section>
${
  withStatus(list, 'removed', 'withdrawn').length > 0 &&
  html`<details class="card"><summary>Removed and withdrawn</summary>
${closedTable.draw(list, view)}</details>`
}`
}

const next = () => within

export const brandPages: Readonly<Record<string, Shown>> = {
  list_brand_domains: {
    title: 'Brands',
    lead:
      'Sites of brands that registers name without a site. One person of staff enters a row with its ' +
      'source, another approves it.',
    tables: [approvedTable, proposedTable, closedTable],
    body,
  },
  enter_brand_domain: { next, form: 'list_brand_domains' },
  approve_brand_domain: { next, form: 'list_brand_domains' },
  remove_brand_domain: { next, form: 'list_brand_domains' },
}
