import type { ShownUsage, UsageList, UsageWithBill } from '../../features/account/index.ts'
import {
  badge,
  barChart,
  type Column,
  cursorPages,
  defineTable,
  emptyState,
  facts,
  field,
  fileOnly,
  form,
  identifierName,
  identifierWords,
  number,
  statusBadge,
  table,
  time,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/usage'
const any = ['', 'any'] as const
const statuses = [any, ['2xx', '2xx: answered'], ['4xx', '4xx: refused'], ['5xx', '5xx: failed']] as const

const usedKeyLabel = (key: { name: string | null; last_four: string }) =>
  `${key.name ?? 'without a name'} …${key.last_four}`

function usageFilters(view: View, { endpoints, keys }: UsageList): Html {
  const { input } = view
  const text = (name: string) => (input[name] === undefined ? '' : String(input[name]))
  const chosen = (name: string, label: string, choices: readonly (readonly [string, string])[]) =>
    field(view, { name, label, value: text(name), choices })
  return form(
    { action: within, method: 'get', submit: 'Filter', name: 'Filters' },
    chosen('endpoint', 'Endpoint', [any, ...endpoints.map(each => [each, identifierName(each)] as const)]),
    chosen('status', 'Status', statuses),
    keys.length > 0 &&
      chosen('key_ref', 'Key', [any, ...keys.map(each => [each.key_ref, usedKeyLabel(each)] as const)]),
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

const dayTable = defineTable<UsageList, UsageList['days'][number]>('days', ({ days }) => ({
  name: 'Requests by day and endpoint',
  columns: [
    { name: 'Day (UTC)', cell: row => row.day, key: 'day' },
    { name: 'Endpoint', cell: row => identifierWords(row.endpoint), key: 'endpoint' },
    { name: 'Requests', cell: row => number(row.requests), key: 'requests', isNumber: true },
    { name: 'Credits', cell: row => number(row.credits), key: 'credits', isNumber: true },
  ],
  rows: days.toReversed(),
  hasOwnCsv: true,
}))

/** Charts the usage by day. Days have no status and no MCP client. */
function usageChart(list: UsageList, view: View): Html {
  const { days, chart: span } = list
  const { input } = view
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
      return found === undefined ? [] : [{ name: identifierName(endpoint), value: found.requests }]
    }),
  }))
  return html`${barChart({
    name: 'Requests by day and endpoint',
    series: series.map(identifierName),
    bars,
    legendEntry: name => legendLink(view, series.find(each => identifierName(each) === name) ?? name),
  })}
<details><summary>The chart as a table</summary>${dayTable.draw(list, view)}</details>`
}

/** Links an endpoint of the legend to its requests alone, and back to all. */
function legendLink(view: View, endpoint: string): Html {
  if (view.input.endpoint === endpoint)
    return html`${identifierWords(endpoint)}
<a href="${usageLink(view, within, { endpoint: '' })}">Show all</a>`
  const only = usageLink(view, within, { endpoint })
  return html`<a href="${only}" title="Only ${endpoint}">${identifierName(endpoint)}</a>`
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

/** Links to a page with the same filters and those of `more`. Files have no other choices. */
function usageLink({ input }: View, path: string, more: Record<string, string> = {}): string {
  const isFile = path.endsWith('.csv')
  const texts: [string, string][] = Object.entries(input)
    .filter(([name]) => name !== 'after' && !(isFile && viewFields.includes(name)))
    .map(([name, value]) => [name, String(value)])
  const wanted = Object.entries<string>({ ...Object.fromEntries(texts), ...more }).filter(
    ([, text]) => text !== '',
  )
  const query = new URLSearchParams(wanted).toString()
  return query === '' ? path : `${path}?${query}`
}

const noRequest = 'No request yet.'
const emptyHint = 'Requests of programs and of these pages appear here.'

const briefColumns: readonly Column<ShownUsage>[] = [
  {
    name: 'Time',
    cell: row => html`<a href="${within}/${row.id}">${time(row.requested_at)}</a>`,
    key: 'requested_at',
  },
  { name: 'Endpoint', cell: row => identifierWords(row.endpoint), key: 'endpoint' },
  { name: 'Status', cell: row => statusBadge(row.status), key: 'status' },
  { name: 'Credits', cell: row => number(row.credits), key: 'credits', isNumber: true },
]

function compactList(rows: readonly ShownUsage[]): Html {
  const empty = emptyState(noRequest, emptyHint)
  const list = table({ name: 'The latest requests', columns: briefColumns, rows, empty })
  return html`<p><a href="${within}">All requests, with filters and the chart</a></p>${list}`
}

/** Shows who sent a request. Requests of the dashboard have no key. */
function senderOf({ key, source, client_version: version }: ShownUsage): Content {
  if (key !== null) return usedKeyLabel(key)
  return html`<span class="none">${version === 'dashboard' ? 'dashboard' : source}</span>`
}

const recordTable = defineTable<UsageList, ShownUsage>('usage', ({ records, next_cursor: cursor }, view) => ({
  name: 'Requests, latest first',
  columns: [
    ...briefColumns,
    ...fileOnly('request_id'),
    { name: 'Key', cell: senderOf, key: 'key_ref', value: row => row.key?.key_ref ?? null },
    {
      name: 'Time taken',
      cell: row => `${number(row.duration_ms)} ms`,
      key: 'duration_ms',
      isNumber: true,
    },
  ],
  rows: records,
  pages: cursorPages(view.address, 'after', cursor),
  hasOwnCsv: true,
}))

const usagePage: Page<UsageList> = {
  title: 'Usage',
  lead: 'Every request of your programs, of these pages and of agents. Each opens its bill.',
  tables: [recordTable, dayTable],
  body(list, view) {
    const { records } = list
    if (view.input.view === 'compact') return compactList(records)
    const isFiltered = Object.keys(view.input).some(name => ![...viewFields, 'after'].includes(name))
    return html`${usageChart(list, view)}${usageFilters(view, list)}
${
  records.length === 0
    ? emptyState(
        isFiltered ? 'No request matches the filters.' : noRequest,
        isFiltered ? html`<a href="${within}">Show all</a>` : emptyHint,
      )
    : html`<p class="actions">
<a class="button plain" href="${usageLink(view, `${within}.csv`)}">Download all that match as CSV</a>
<a class="button plain" href="${within}?view=compact">The latest 50 in brief</a></p>
${recordTable.draw(list, view)}
<p class="hint">A file has at most 100,000 records. The last row of a full one has the link to the next.</p>`
}`
  },
}

const billTable = defineTable<UsageWithBill, UsageWithBill['bill'][number]>('bill', ({ bill }) => ({
  name: 'Bill',
  columns: [
    {
      name: 'Line',
      cell: row => (row.price_key === null ? row.kind : identifierWords(row.price_key)),
      key: 'line',
      value: row => row.price_key ?? row.kind,
    },
    {
      name: 'Units',
      cell: row => (row.units === null ? '' : number(row.units)),
      key: 'units',
      isNumber: true,
    },
    { name: 'Credits', cell: row => number(row.credits), key: 'credits', isNumber: true },
    { name: 'Settled', cell: row => time(row.recorded_at), key: 'recorded_at' },
    { name: 'Note', cell: row => row.note ?? '', key: 'note' },
  ],
  rows: bill,
  empty: emptyState('Nothing was charged for this request.'),
}))

const recordPage: Page<UsageWithBill> = {
  title: 'A request',
  within,
  tables: [billTable],
  body(shown, view) {
    const { id: _, request_params: parameters, key, endpoint, ...rest } = shown.record
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
    return html`<h2>Bill</h2>
${billTable.draw(shown, view)}
<h2>Request</h2><p>${identifierWords(endpoint)} ${badge('plain', key === null ? 'no key' : usedKeyLabel(key))}
${key !== null && html`<code>${key.key_ref}</code>`}</p>
${facts(known)}<h2>Parameters</h2>
<p class="hint">Sites are left out: several people share an account.</p>
<div>${facts(parameters)}</div><p><a href="${within}">All requests</a></p>`
  },
}

export const usagePages: Readonly<Record<string, Shown>> = {
  list_usage: { ...usagePage, form: 'list_usage' },
  show_usage_record: recordPage,
}
