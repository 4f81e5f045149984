import type { Statement } from '../../features/account/index.ts'
import { emptyState, field, form, number, pager, table, time } from '../components/index.ts'
import { html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/statement'

type Entry = Statement['entries'][number]

/** Charges are negative, so that the column adds up. */
const signed = ({ kind, credits }: Entry) =>
  kind === 'grant' ? `+${number(credits)}` : `−${number(credits)}`

const dayOf = ({ input }: View, name: string) =>
  typeof input[name] === 'string' ? (input[name] as string) : ''

const statementPage: Page<Statement> = {
  title: 'Statement',
  body({ entries, next_cursor: cursor, has_quota: hasQuota }, view) {
    const to = dayOf(view, 'to')
    const query = (after: string | null) => {
      const texts = { ...(to === '' ? {} : { to }), ...(after === null ? {} : { after }) }
      const sent = new URLSearchParams(texts).toString()
      return sent === '' ? within : `${within}?${sent}`
    }
    const before = view.input.after === undefined ? null : query(null)
    return html`<p>Every movement of credits, latest first${hasQuota && ', with the balance after it'}.</p>
${form(
  { action: within, method: 'get', submit: 'Show', name: 'Days' },
  field(view, { name: 'to', label: 'Up to the day (UTC)', type: 'date', value: to }),
)}
${
  entries.length === 0
    ? emptyState('No movement yet.', 'Grants and charges appear here.')
    : table({
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
          {
            name: 'Caused by',
            cell: row =>
              row.endpoint === null
                ? row.price_key !== null && row.note
                : html`<code>${row.endpoint}</code> <span class="hint">${row.request_id}</span>`,
          },
        ],
        rows: entries,
      })
}
${pager({ before, after: cursor === null ? null : query(cursor) })}
<section class="card" aria-labelledby="csv"><h2 id="csv">As CSV</h2>
${form(
  { action: `${within}.csv`, method: 'get', submit: 'Download' },
  field({ problem: null, scope: 'csv' }, { name: 'from', label: 'From (UTC)', type: 'date' }),
  field({ problem: null, scope: 'csv' }, { name: 'to', label: 'To (UTC)', type: 'date' }),
)}</section>`
  },
}

export const statementPages: Readonly<Record<string, Shown>> = { show_statement: statementPage }
