import type { Statement } from '../../features/account/index.ts'
import { emptyState, field, figures, form, number, pager, table, time } from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/statement'

type Entry = Statement['entries'][number]

/** Charges are negative, so that the column adds up. */
const signed = ({ kind, credits }: Entry) =>
  kind === 'grant' ? `+${number(credits)}` : `−${number(credits)}`

const dayOf = ({ input }: View, name: string) => (typeof input[name] === 'string' ? input[name] : '')

/** The same days. */
function linkOf(view: View, path: string, after: string | null = null): string {
  const texts = Object.entries({ from: dayOf(view, 'from'), to: dayOf(view, 'to'), after: after ?? '' })
  const query = new URLSearchParams(texts.filter(([, text]) => text !== '')).toString()
  return query === '' ? path : `${path}?${query}`
}

function sums({ opening_balance: opening, closing_balance: closing, ...statement }: Statement): Html {
  return figures([
    ...(opening === null ? [] : [{ name: 'Opening balance', value: number(opening) }]),
    { name: 'Granted', value: statement.granted === 0 ? '0' : `+${number(statement.granted)}` },
    { name: 'Charged', value: statement.charged === 0 ? '0' : `−${number(statement.charged)}` },
    closing === null
      ? { name: 'Closing balance', value: 'no quota' }
      : { name: 'Closing balance', value: number(closing), unit: 'credits' },
  ])
}

const statementPage: Page<Statement> = {
  title: 'Statement',
  lead: 'Every credit that came or went, and what caused it.',
  body(statement, view) {
    const { entries, next_cursor: cursor } = statement
    const isLimited = dayOf(view, 'from') !== '' || dayOf(view, 'to') !== ''
    const day = (name: string, label: string) =>
      field(view, { name, label, type: 'date', value: dayOf(view, name) })
    return html`${sums(statement)}
${form(
  { action: within, method: 'get', submit: 'Show', name: 'Days' },
  day('from', 'From (UTC)'),
  day('to', 'To (UTC)'),
)}
${
  entries.length === 0
    ? emptyState(
        isLimited ? 'No movement in these days.' : 'No movement yet.',
        isLimited ? html`<a href="${within}">Show all</a>` : 'Grants and charges appear here.',
      )
    : html`<p class="actions">
<a class="button plain" href="${linkOf(view, `${within}.csv`)}">Download these days as CSV</a></p>
${entryTable(entries)}`
}
${pager({
  before: view.input.after === undefined ? null : linkOf(view, within),
  after: cursor === null ? null : linkOf(view, within, cursor),
})}`
  },
}

function entryTable(entries: readonly Entry[]): Html {
  return table({
    name: 'Ledger entries, latest first',
    columns: [
      { name: 'Time', cell: row => time(row.recorded_at) },
      { name: 'What', cell: row => row.price_key ?? row.note ?? row.kind },
      { name: 'Units', cell: row => (row.units === null ? '' : number(row.units)), isNumber: true },
      { name: 'Credits', cell: signed, isNumber: true },
      {
        name: 'Balance',
        cell: row => (row.balance === null ? 'no quota' : number(row.balance)),
        isNumber: true,
      },
      { name: 'Caused by', cell: causeOf },
    ],
    rows: entries,
  })
}

function causeOf({ endpoint, usage_id: usageId, request_id: requestId, price_key, note }: Entry): Content {
  if (endpoint === null) return price_key === null ? '' : (note ?? '')
  const name = html`<code>${endpoint}</code>`
  const cause = usageId === null ? name : html`<a href="/dashboard/usage/${usageId}">${name}</a>`
  return html`${cause}<p class="hint">${requestId}</p>`
}

export const statementPages: Readonly<Record<string, Shown>> = {
  show_statement: { ...statementPage, form: 'show_statement' },
}
