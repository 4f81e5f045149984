import type { ShownUsage, UsageList, UsageWithBill } from '../../features/account/index.ts'
import {
  badge,
  barChart,
  type Column,
  emptyState,
  facts,
  field,
  form,
  number,
  pager,
  statusBadge,
  table,
  time,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/usage'
const any = ['', 'any'] as const
const statuses = [any, ['2xx', '2xx: answered'], ['4xx', '4xx: refused'], ['5xx', '5xx: failed']] as const

const keyName = (key: { name: string | null; last_four: string }) =>
  `${key.name ?? 'without a name'} …${key.last_four}`

function filters(view: View, { endpoints, keys }: UsageList): Html {
  const { input } = view
  const text = (name: string) => (input[name] === undefined ? '' : String(input[name]))
  const chosen = (name: string, label: string, choices: readonly (readonly [string, string])[]) =>
    field(view, { name, label, value: text(name), choices })
  return form(
    { action: within, method: 'get', submit: 'Filter', name: 'Filters' },
    chosen('endpoint', 'Endpoint', [any, ...endpoints.map(each => [each, each] as const)]),
    chosen('status', 'Status', statuses),
    keys.length > 0 &&
      chosen('key_ref', 'Key', [any, ...keys.map(each => [each.key_ref, keyName(each)] as const)]),
    field(view, { name: 'mcp_client', label: 'MCP client', value: text('mcp_client') }),
    field(view, { name: 'from', label: 'From (UTC)', type: 'date', value: text('from') }),
    field(view, { name: 'to', label: 'To (UTC)', type: 'date', value: text('to') }),
    chosen('per_page', 'Rows', [
      ['10', '10'],
      ['25', '25'],
      ['50', '50'],
    ]),
    chosen('chart_days', 'Chart', [
      ['30', '30 days'],
      ['90', '90 days'],
    ]),
  )
}

/** Its days have no status and no MCP client. */
function chart({ days, chart: span }: UsageList, { input }: View): Html {
  if (input.status !== undefined || input.mcp_client !== undefined)
    return html`<p class="hint">The chart is shown without a filter by status or MCP client.</p>`
  if (days.length === 0) return html``
  const total = new Map<string, number>()
  for (const each of days) total.set(each.endpoint, (total.get(each.endpoint) ?? 0) + each.requests)
  const series = [...total.keys()].toSorted((a, b) => (total.get(b) ?? 0) - (total.get(a) ?? 0))
  const byDay = Map.groupBy(days, each => each.day)
  const bars = daysBetween(span.from, span.until).map(day => ({
    name: day,
    parts: series.flatMap(endpoint => {
      const found = byDay.get(day)?.find(each => each.endpoint === endpoint)
      return found === undefined ? [] : [{ name: endpoint, value: found.requests }]
    }),
  }))
  const rows = days.toReversed()
  return html`${barChart('Requests by day and endpoint', series, bars)}
<details><summary>The chart as a table</summary>${table({
    name: 'Requests by day and endpoint',
    columns: [
      { name: 'Day (UTC)', cell: row => row.day },
      { name: 'Endpoint', cell: row => html`<code>${row.endpoint}</code>` },
      { name: 'Requests', cell: row => number(row.requests), isNumber: true },
      { name: 'Credits', cell: row => number(row.credits), isNumber: true },
    ],
    rows,
  })}</details>`
}

function daysBetween(from: string, until: string): string[] {
  const days: string[] = []
  const day = new Date(`${from}T00:00:00Z`)
  while (day.toISOString().slice(0, 10) <= until) {
    days.push(day.toISOString().slice(0, 10))
    day.setUTCDate(day.getUTCDate() + 1)
  }
  return days
}

const viewFields = ['per_page', 'chart_days', 'view']

/** The same filters; `more` is added. Files have no other choices. */
function linkOf({ input }: View, path: string, more: Record<string, string> = {}): string {
  const isFile = path.endsWith('.csv')
  const texts = Object.entries(input)
    .filter(([name]) => name !== 'after' && !(isFile && viewFields.includes(name)))
    .map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams([...texts, ...Object.entries(more)]).toString()
  return query === '' ? path : `${path}?${query}`
}

const usagePage: Page<UsageList> = {
  title: 'Usage',
  lead: 'Every request of your programs, of the explorer and of agents. Each opens its bill.',
  body(list, view) {
    const { records, next_cursor: cursor } = list
    if (view.input.view === 'compact') return compactList(records)
    const isFiltered = Object.keys(view.input).some(name => ![...viewFields, 'after'].includes(name))
    const first = view.input.after === undefined ? null : linkOf(view, within)
    const after = cursor === null ? null : linkOf(view, within, { after: cursor })
    return html`${chart(list, view)}${filters(view, list)}
${
  records.length === 0
    ? emptyState(
        isFiltered ? 'No request matches the filters.' : noRequest,
        isFiltered ? html`<a href="${within}">Show all</a>` : emptyHint,
      )
    : html`<p class="actions">
<a class="button plain" href="${linkOf(view, `${within}.csv`)}">Download all that match as CSV</a>
<a class="button plain" href="${within}?view=compact">The latest 50 in brief</a></p>
${recordTable(records)}
<p class="hint">A file has at most 100,000 records. The last row of a full one has the link to the next.</p>`
}
${pager({ before: first, after })}`
  },
}

const noRequest = 'No request yet.'
const emptyHint = 'Requests of programs and of the explorer appear here.'

const columns: readonly Column<ShownUsage>[] = [
  { name: 'Time', cell: row => html`<a href="${within}/${row.id}">${time(row.requested_at)}</a>` },
  { name: 'Endpoint', cell: row => html`<code>${row.endpoint}</code>` },
  { name: 'Status', cell: row => statusBadge(row.status) },
  { name: 'Credits', cell: row => number(row.credits), isNumber: true },
]

function compactList(rows: readonly ShownUsage[]): Html {
  const list =
    rows.length === 0
      ? emptyState(noRequest, emptyHint)
      : table({ name: 'The latest requests', columns, rows })
  return html`<p><a href="${within}">All requests, with filters and the chart</a></p>${list}`
}

/** Requests of the dashboard have no key. */
function senderOf({ key, source, client_version: version }: ShownUsage): Content {
  if (key !== null) return keyName(key)
  return html`<span class="none">${version === 'dashboard' ? 'dashboard' : source}</span>`
}

const recordTable = (rows: readonly ShownUsage[]): Html =>
  table({
    name: 'Requests, latest first',
    columns: [
      ...columns,
      { name: 'Key', cell: senderOf },
      { name: 'Time taken', cell: row => `${number(row.duration_ms)} ms`, isNumber: true },
    ],
    rows,
  })

const recordPage: Page<UsageWithBill> = {
  title: 'A request',
  within,
  body({ record, bill }) {
    const { id: _, request_params: parameters, key, ...rest } = record
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
    return html`<h2>Bill</h2>
${
  bill.length === 0
    ? emptyState('Nothing was charged for this request.')
    : table({
        name: 'Bill',
        columns: [
          { name: 'Line', cell: row => row.price_key ?? row.kind },
          { name: 'Units', cell: row => (row.units === null ? '' : number(row.units)), isNumber: true },
          { name: 'Credits', cell: row => number(row.credits), isNumber: true },
          { name: 'Settled', cell: row => time(row.recorded_at) },
          { name: 'Note', cell: row => row.note ?? '' },
        ],
        rows: bill,
      })
}
<h2>Request</h2><p>${badge('plain', key === null ? 'no key' : keyName(key))}</p>
${facts(known)}<h2>Parameters</h2>
<p class="hint">Sites are left out: several people share an account.</p>
<div>${facts(parameters)}</div><p><a href="${within}">All requests</a></p>`
  },
}

export const usagePages: Readonly<Record<string, Shown>> = {
  list_usage: { ...usagePage, form: 'list_usage' },
  show_usage_record: recordPage,
}
