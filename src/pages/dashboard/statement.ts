import type { Statement } from '../../features/account/index.ts'
import {
  cursorPages,
  defineTable,
  emptyState,
  field,
  figureList,
  fileOnly,
  form,
  identifierName,
  identifierWords,
  number,
  time,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/statement'

type Entry = Statement['entries'][number]

/** Charges are negative, so that the column adds up. */
const signed = ({ kind, credits }: Entry) =>
  kind === 'grant' ? `+${number(credits)}` : `−${number(credits)}`

const dayInput = ({ input }: View, name: string) => (typeof input[name] === 'string' ? input[name] : '')

/** Links to a page of the same days. */
function statementLink(view: View, path: string): string {
  const texts = Object.entries({ from: dayInput(view, 'from'), to: dayInput(view, 'to') })
  const query = new URLSearchParams(texts.filter(([, text]) => text !== '')).toString()
  return query === '' ? path : `${path}?${query}`
}

function sums({ opening_balance: opening, closing_balance: closing, ...statement }: Statement): Html {
  return figureList([
    ...(opening === null ? [] : [{ name: 'Opening balance', value: number(opening) }]),
    { name: 'Granted', value: statement.granted === 0 ? '0' : `+${number(statement.granted)}` },
    { name: 'Charged', value: statement.charged === 0 ? '0' : `−${number(statement.charged)}` },
    closing === null
      ? { name: 'Closing balance', value: 'no quota' }
      : { name: 'Closing balance', value: number(closing), unit: 'credits' },
  ])
}

function causeOf({ endpoint, usage_id: usageId, request_id: requestId, price_key, note }: Entry): Content {
  if (endpoint === null) return price_key === null ? '' : (note ?? '')
  const name = identifierWords(endpoint)
  const cause = usageId === null ? name : html`<a href="/dashboard/usage/${usageId}">${name}</a>`
  return html`${cause}<p class="hint">${requestId}</p>`
}

const entryTable = defineTable<Statement, Entry>(
  'statement',
  ({ entries: rows, next_cursor: cursor }, view) => ({
    name: 'Ledger entries, latest first',
    columns: [
      { name: 'Time', cell: row => time(row.recorded_at), key: 'recorded_at' },
      {
        name: 'What',
        cell: row => (row.price_key === null ? (row.note ?? row.kind) : identifierWords(row.price_key)),
        key: 'what',
        value: row => row.price_key ?? row.kind,
        isFacet: true,
        facetName: identifierName,
      },
      {
        name: 'Units',
        cell: row => (row.units === null ? '' : number(row.units)),
        key: 'units',
        isNumber: true,
      },
      {
        name: 'Credits',
        cell: signed,
        key: 'credits',
        value: row => (row.kind === 'grant' ? row.credits : -row.credits),
        isNumber: true,
      },
      {
        name: 'Balance',
        cell: row => (row.balance === null ? 'no quota' : number(row.balance)),
        key: 'balance',
        isNumber: true,
      },
      { name: 'Caused by', cell: causeOf, key: 'request_id' },
      ...fileOnly('endpoint', 'note'),
    ],
    rows,
    pages: cursorPages(view.address, 'after', cursor),
    hasOwnCsv: true,
  }),
)

const statementPage: Page<Statement> = {
  title: 'Statement',
  tables: [entryTable],
  lead: 'Every credit that came or went, and what caused it.',
  body(statement, view) {
    const { entries } = statement
    const isLimited = dayInput(view, 'from') !== '' || dayInput(view, 'to') !== ''
    const day = (name: string, label: string) =>
      field(view, { name, label, type: 'date', value: dayInput(view, name) })
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
<a class="button plain" href="${statementLink(view, `${within}.csv`)}">Download these days as CSV</a></p>
${entryTable.draw(statement, view)}`
}`
  },
}

export const statementPages: Readonly<Record<string, Shown>> = {
  show_statement: { ...statementPage, form: 'show_statement' },
}
