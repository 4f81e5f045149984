import { plural } from '@baize/names'
import type { ExportList, PricedExport, ShownExport } from '../../features/exports/index.ts'
import {
  badge,
  choices,
  credits,
  cursorPages,
  defineTable,
  emptyState,
  facts,
  field,
  fileOnly,
  form,
  hidden,
  marketField,
  memberName,
  noticeBox,
  number,
  steps,
  time,
} from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/exports'
const exportPath = ({ id }: Pick<ShownExport, 'id'>) => `${within}/${id}`

const exportStates = {
  queued: ['plain', 'waiting'],
  running: ['plain', 'running'],
  completed: ['good', '✓ completed'],
  expired: ['plain', 'expired'],
  failed: ['bad', '✕ failed'],
} as const

function exportBadge({ state }: ShownExport): Html {
  const [tone, text] = exportStates[state]
  return badge(tone, text)
}

const any = ['', 'any'] as const

function orderForm(view: View, choice: ExportList['choices']): Html {
  const categories = [any, ...choice.payment_categories.map(each => [each, memberName(each)] as const)]
  return form(
    { action: `${within}/price`, submit: 'Show the price (free)', name: 'A new export' },
    marketField(view, { name: 'jurisdiction', label: 'Licensed in' }, 'any'),
    field(view, { name: 'payment_category', label: 'Takes payments by', choices: categories }),
    field(view, { name: 'exclude_payment', label: 'Does not take', choices: categories }),
    field(view, { name: 'supplier_brand', label: 'Has games of' }),
    field(view, { name: 'exclude_provider', label: 'Has no games of' }),
    field(view, {
      name: 'has_affiliate',
      label: 'Affiliate program',
      choices: [any, ['true', 'observed'], ['false', 'none observed']],
    }),
    field(view, { name: 'geo_hint', label: 'Addresses the place' }),
    field(view, { name: 'enriched_after', label: 'Observed after', type: 'date' }),
    field(view, {
      name: 'export_format',
      label: 'Format',
      choices: [
        ['csv', 'CSV'],
        ['json', 'JSON'],
      ],
    }),
    choices(view, {
      name: 'fields[]',
      label: 'Evidence (JSON only)',
      of: choice.sections.map(each => [each, memberName(each)] as const),
    }),
    field(view, { name: 'max_rows', label: `Rows at most (${number(choice.rows_max)})`, type: 'number' }),
  )
}

const exportTable = defineTable<ExportList, ShownExport>('exports', ({ exports: rows, before }, view) => ({
  name: 'Exports',
  columns: [
    {
      name: 'Requested',
      cell: row => html`<a href="${exportPath(row)}">${time(row.requested_at)}</a>`,
      key: 'requested_at',
    },
    ...fileOnly('id', 'completed_at', 'expires_at'),
    { name: 'State', cell: exportBadge, key: 'state', isFacet: true },
    { name: 'Format', cell: row => row.format.toUpperCase(), key: 'format' },
    {
      name: 'Rows',
      cell: row => (row.total_rows === null ? '' : number(row.total_rows)),
      key: 'total_rows',
      isNumber: true,
    },
    { name: 'Quoted', cell: row => number(row.quoted_credits), key: 'quoted_credits', isNumber: true },
    { name: 'Charged', cell: row => number(row.credits_used ?? 0), key: 'credits_used', isNumber: true },
  ],
  rows,
  empty: emptyState('No export yet.', 'Finished files appear here for 24 hours.'),
  pages: cursorPages(view.address, 'before', before),
}))

const listPage: Page<ExportList> = {
  title: 'Exports',
  tables: [exportTable],
  lead: 'A file of all domains that match your filters. The price is shown first, free of charge.',
  body(list, view) {
    const { choices: choice } = list
    const isOpen = view.problem !== null || list.exports.length === 0
    return html`<details class="card"${isOpen && html` open`}><summary>A new export</summary>
<p>${credits(choice.credits_per_row)} a row; ${choice.credits_per_profile} more for a row with an available
launch profile. Only the rows in the file are charged.</p>
${orderForm(view, choice)}</details>
${exportTable.draw(list, view)}`
  },
}

const pricePage: Page<PricedExport> = {
  title: 'The price of this export',
  within,
  body({ rows, credits: quoted, fields, nonce }) {
    if (rows === 0)
      return emptyState(
        'No domain matches.',
        html`<a href="${within}">Change the filters</a>. Nothing was charged.`,
      )
    const kept = Object.entries(fields).flatMap(([name, values]) => values.map(value => hidden(name, value)))
    return html`<p class="lead">At most <strong>${credits(quoted)}</strong> for ${number(rows)}
${plural(rows, 'row')}.</p>
<p>The file may have fewer rows, and only those are charged. Filters by supplier can shorten it; the price
does not reveal by how much.</p>
<h2>What was asked for</h2>${facts(fields)}
${form(
  { action: within, submit: `Export for at most ${credits(quoted)}` },
  kept,
  hidden('max_credits', quoted),
  hidden('nonce', nonce),
)}<p><a href="${within}">Back, without an export</a></p>`
  },
}

/** Shows an export. The page requests this part again until the file is written. */
function exportState(row: ShownExport): Html {
  const isOpen = row.state === 'queued' || row.state === 'running'
  const path = exportPath(row)
  const again =
    isOpen && html` hx-get="${path}" hx-trigger="load delay:2s" hx-target="#export" hx-swap="outerHTML"`
  const { id: _, state: __, format: ___, ...rest } = row
  const known = Object.entries(rest).filter(([, value]) => value !== null)
  return html`<div id="export" aria-live="polite"${again}>
${
  row.state === 'failed' || row.state === 'expired'
    ? html`<p>${exportBadge(row)}</p>`
    : steps(['Requested', 'In the queue', 'Writing the file', 'Ready'], stepOf[row.state])
}
${isOpen && html`<p class="progress">The file is being written. <a href="${path}">Look again</a></p>`}
${row.state === 'completed' && downloads(row)}
${
  row.state === 'failed' &&
  html`<p>The export failed. Nothing was charged.
Ask for it again, or contact the operator.</p>`
}
${row.state === 'expired' && html`<p>The file was deleted after its 24 hours. Ask for it again.</p>`}
${
  row.truncated_by &&
  noticeBox(
    'warn',
    html`More rows match: the file ends because of
${truncations[row.truncated_by]}.`,
  )
}
${facts(Object.fromEntries(known))}
</div>`
}

const stepOf = { queued: 1, running: 2, completed: 3 } as const

const truncations: Record<string, string> = {
  max_rows: 'the limit that you set',
  row_limit: 'the limit of rows of an export',
  credits: 'the credits, which were used up',
}

function downloads(row: ShownExport): Html {
  const path = `${exportPath(row)}/download`
  return html`<p class="actions"><a class="button" href="${path}">Download the ${row.format.toUpperCase()}</a>
${
  row.format === 'csv' &&
  html`
<a class="button plain" href="${path}?spreadsheet=true">Download it for a spreadsheet</a>`
}</p>`
}

const exportPage: Page<ShownExport> = {
  title: ({ id }) => `Export ${id}`,
  within,
  body: exportState,
  fragments: { export: exportState },
}

export const exportPages: Readonly<Record<string, Shown>> = {
  list_account_exports: listPage,
  price_export: { ...pricePage, form: 'list_account_exports' },
  order_export: {
    next: ({ export_id: id }: { export_id: number }) => exportPath({ id }),
    form: 'list_account_exports',
  },
  show_account_export: exportPage,
}
