import { markets } from '@baize/names'
import { regimeStates, regimeVerticals } from '@baize/registers/entries'
import type { RegimeList } from '../../../features/staff/index.ts'
import {
  type Column,
  defineTable,
  emptyState,
  field,
  fileOnly,
  form,
  regimeLine,
  time,
  viewOfForm,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Shown, View } from '../../page.ts'
import { marketCell } from '../domain/evidence.ts'

const within = '/dashboard/staff/regimes'

type Regime = RegimeList['regimes'][number]

const actionOf = ({ regime_ref: ref }: Regime, verb: string) => `${within}/${encodeURIComponent(ref)}/${verb}`
const nameOf = ({ market, vertical }: Regime) => `${market}, ${vertical}`
const wordsOf = (words: readonly string[]) => words.map(each => [each, each.replaceAll('_', ' ')] as const)

const statedColumns: readonly Column<Regime>[] = [
  { name: 'Market', cell: (row: Regime) => marketCell(row.market), key: 'market' },
  {
    name: 'Regime',
    cell: (row: Regime) => html`${regimeLine(row)}<p class="hint">${row.note}</p>`,
    key: 'state',
    isFacet: true,
  },
  ...fileOnly('vertical', 'from', 'to', 'note', 'source_url'),
]

const effectOf = ({ from, to, ends }: Regime) =>
  to !== null && to < from ? `Takes back ${ends}: it never applied.` : `Ends ${ends} on ${to}.`

const byOf = (email: string | null) => email ?? 'a command'

function decisions(row: Regime): Content {
  const approval = form({
    action: actionOf(row, 'approve'),
    submit: 'Approve',
    name: `Approve ${nameOf(row)}`,
    confirm: 'Customers will see it with every verdict of the market. Publish it?',
  })
  const withdrawal = form({
    action: actionOf(row, 'withdraw'),
    submit: 'Withdraw',
    tone: 'plain',
    name: `Withdraw ${nameOf(row)}`,
  })
  return [row.is_own ? html`<p class="hint">Another person must approve it.</p>` : approval, withdrawal]
}

function endForm(row: Regime, view: View): Content {
  const action = actionOf(row, 'end')
  const of = viewOfForm(view, action)
  return html`<details${of.problem && html` open`}><summary>End or correct</summary>${form(
    { action, submit: 'Propose the end', name: `End ${nameOf(row)}` },
    field(of, {
      name: 'on',
      label: 'Last day',
      type: 'date',
      required: true,
      hint: 'A day before its first states that it never applied.',
    }),
    field(of, { name: 'reason', label: 'Why', required: true }),
  )}</details>`
}

function entryForm(view: View): Html {
  const of = viewOfForm(view, within)
  const choices = markets
    .map(({ code, name }) => [code, name] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other))
  return form(
    { action: within, submit: 'Propose', name: 'Propose a regime' },
    field(of, { name: 'market', label: 'Market', choices, required: true }),
    field(of, { name: 'vertical', label: 'Vertical', choices: wordsOf(regimeVerticals), required: true }),
    field(of, { name: 'state', label: 'State', choices: wordsOf(regimeStates), required: true }),
    field(of, { name: 'from', label: 'First day', type: 'date', required: true }),
    field(of, { name: 'to', label: 'Last day', type: 'date', hint: 'Empty while no end is known.' }),
    field(of, { name: 'source_url', label: 'Source', required: true, placeholder: 'https://' }),
    field(of, { name: 'note', label: 'Note', rows: 2, hint: 'Public; at most 300 characters.' }),
    field(of, { name: 'reason', label: 'Why', required: true, rows: 2, hint: 'Only staff see it.' }),
  )
}

const withStatus = ({ regimes }: RegimeList, ...statuses: Regime['status'][]) =>
  regimes.filter(each => statuses.includes(each.status))

const proposedTable = defineTable<RegimeList, Regime>('proposed', list => ({
  name: 'Proposed regimes',
  columns: [
    ...statedColumns,
    {
      name: 'Entered',
      cell: row => html`${row.ends && html`<p>${effectOf(row)}</p>`}${row.why}
<p class="hint">${byOf(row.entered_by)}, ${time(row.entered_at)}</p>${decisions(row)}`,
      key: 'entered_at',
    },
  ],
  rows: withStatus(list, 'proposed'),
  empty: emptyState('No regime awaits approval.'),
}))

const publishedTable = defineTable<RegimeList, Regime>('published', (list, view) => ({
  name: 'Published regimes',
  columns: [
    ...statedColumns,
    {
      name: 'Published',
      cell: row => html`${time(row.known_from)}<p class="hint">${byOf(row.approved_by)}</p>`,
      key: 'known_from',
    },
    { name: 'End', cell: row => endForm(row, view), isUnnamed: true },
  ],
  rows: withStatus(list, 'approved'),
  empty: emptyState('No regime is published.'),
}))

const closedTable = defineTable<RegimeList, Regime>('closed', list => ({
  name: 'Closed and withdrawn regimes',
  columns: [
    ...statedColumns,
    {
      name: 'Status',
      cell: row => html`${row.status} ${time(row.known_to)}`,
      key: 'status',
    },
  ],
  rows: withStatus(list, 'closed', 'withdrawn'),
}))

function body(list: RegimeList, view: View): Html {
  return html`<section aria-labelledby="open"><h2 id="open">Awaiting approval</h2>
${proposedTable.draw(list, view)}</section>
<section aria-labelledby="published"><h2 id="published">Published</h2>
${publishedTable.draw(list, view)}</section>
<section class="card" aria-labelledby="enter"><h2 id="enter">Propose a regime</h2>${entryForm(view)}</section>
${
  withStatus(list, 'closed', 'withdrawn').length > 0 &&
  html`<details class="card"><summary>Closed and withdrawn</summary>${closedTable.draw(list, view)}</details>`
}`
}

const next = () => within

export const regimePages: Readonly<Record<string, Shown>> = {
  list_staff_regimes: {
    title: 'Regimes',
    lead: 'What gambling the law of a market allows. One person of staff enters it, another approves it.',
    tables: [publishedTable, proposedTable, closedTable],
    body,
  },
  enter_regime: { next, form: 'list_staff_regimes' },
  approve_regime: { next, form: 'list_staff_regimes' },
  withdraw_regime: { next, form: 'list_staff_regimes' },
  end_regime: { next, form: 'list_staff_regimes' },
}
