import { counted } from '@baize/names'
import type { ListedPortfolios, ShownPortfolio, UploadedPortfolio } from '../../features/portfolios/index.ts'
import {
  boughtNote,
  defineTable,
  domainLink,
  emptyState,
  facts,
  field,
  fileOnly,
  form,
  hidden,
  inSentence,
  marketLink,
  marketName,
  number,
  offerForm,
  table,
  time,
  verdictBadge,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'
import { rowsShownMax } from './company.ts'

const within = '/dashboard/portfolios'
const pathOf = (name: string) => `${within}/${name}`
const pageOf = (name: string, after: string) => `${pathOf(name)}?after=${encodeURIComponent(after)}`

const listTable = defineTable<ListedPortfolios, ListedPortfolios['portfolios'][number]>(
  'portfolios',
  ({ portfolios: rows }) => ({
    name: 'Portfolios',
    columns: [
      { name: 'Portfolio', cell: row => html`<a href="${pathOf(row.name)}">${row.name}</a>`, key: 'name' },
      { name: 'Sites', cell: row => number(row.size), key: 'size', isNumber: true },
      { name: 'Changed', cell: row => time(row.changed_at), key: 'changed_at' },
      { name: 'Note', cell: row => row.note, key: 'note' },
    ],
    rows,
    empty: emptyState(
      'No portfolio yet.',
      'Upload the list of your merchants to see what changes among them.',
    ),
  }),
)

const listPage: Page<ListedPortfolios> = {
  title: 'Portfolios',
  lead: 'Store the list of your sites, free, and read what changed among them.',
  tables: [listTable],
  body(list, view) {
    const isOpen = view.problem !== null || list.portfolios.length === 0
    return html`<details class="card"${isOpen && html` open`}><summary>Upload a list</summary>
<p>A portfolio with the same name is replaced; sites in both lists keep their place.</p>
${form(
  { action: within, submit: 'Upload (free)', name: 'Upload a list', isUpload: true },
  field(view, {
    name: 'name',
    label: 'Name',
    required: true,
    placeholder: 'merchants',
    hint: 'Lower-case letters, digits, - and _.',
  }),
  field(view, {
    name: 'file',
    label: 'File',
    type: 'file',
    required: true,
    hint: 'CSV, TXT or XLSX, up to 8 MiB.',
  }),
  field(view, { name: 'column', label: 'Column (optional)', hint: 'Else the one with the most sites.' }),
)}</details>
${listTable.draw(list, view)}`
  },
}

const uploadedPage: Page<UploadedPortfolio> = {
  title: ({ name }) => `Portfolio ${name}`,
  within,
  body: ({ name, size, added, removed, column, columns, rows, unresolved, unresolved_count: wrong }) =>
    html`<p class="lead">${counted(size, 'site')}: ${number(added)} added, ${number(removed)} removed.</p>
<p>Read ${counted(rows, 'row')} of the column <strong>${column}</strong>${
      columns.length > 1 && html`, one of ${columns.join(', ')}. <a href="${within}">Choose another</a>`
    }.</p>
<p class="actions"><a class="button" href="${pathOf(name)}">Open the portfolio</a></p>
${
  wrong > 0 &&
  html`<h2>${counted(wrong, 'row')} without a site</h2>
${table({
  name: 'Rows without a site',
  columns: [
    { name: 'Row', cell: row => number(row.index + 1), isNumber: true },
    { name: 'Text', cell: row => row.input },
    { name: 'Why', cell: row => row.message },
  ],
  rows: unresolved,
})}`
}`,
}

type Member = NonNullable<ShownPortfolio['members']>['response']['domains'][number]
type Change = ShownPortfolio['changes'][number]['response']['changes'][number]
type Side = Change['before']

const marketsOf = (of: readonly { geo: string }[]) => [...new Set(of.map(each => each.geo))]
const marketCell = (of: readonly { geo: string }[]) => inSentence(marketsOf(of).map(marketLink))
const namesOf = (of: readonly { geo: string }[]) => marketsOf(of).map(marketName)
const sideCell = ({ verdict, licensed_by, blocked_by }: Side): Html =>
  html`${verdictBadge(verdict)} ${marketCell([...licensed_by, ...blocked_by])}`

const memberTable = defineTable<ShownPortfolio, Member>('members', ({ members }) => ({
  name: 'Sites',
  columns: [
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    { name: 'Verdict', cell: row => verdictBadge(row.verdict), key: 'verdict', isFacet: true },
    {
      name: 'Licensed in',
      cell: row => marketCell(row.licensed_by),
      key: 'licensed_in',
      value: row => namesOf(row.licensed_by),
    },
    {
      name: 'Blocked in',
      cell: row => marketCell(row.blocked_by),
      key: 'blocked_in',
      value: row => namesOf(row.blocked_by),
    },
  ],
  rows: members?.response.domains ?? [],
}))

const changeTable = defineTable<ShownPortfolio, Change>('changes', ({ changes }) => ({
  name: 'What changed',
  columns: [
    { name: 'Seen', cell: row => time(row.detected_at), key: 'detected_at' },
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    { name: 'Before', cell: row => sideCell(row.before), key: 'before', value: row => row.before.verdict },
    { name: 'After', cell: row => sideCell(row.after), key: 'after', value: row => row.after.verdict },
    { name: 'Cause', cell: row => row.cause, key: 'cause' },
    ...fileOnly('change_ref', 'occurred_at', 'is_correction'),
  ],
  rows: changes.flatMap(({ response }) => response.changes),
  shownMax: rowsShownMax,
  empty: html``,
}))

const portfolioPage: Page<ShownPortfolio> = {
  title: ({ name }) => `Portfolio ${name}`,
  lead: ({ size, note }) => html`${counted(size, 'site')}.${note && ` ${note}`}`,
  within,
  tables: [memberTable, changeTable],
  body: (shown, view) => html`${changesPart(shown, view)}${membersPart(shown, view)}${notifyPart(shown)}
${form({
  action: `${pathOf(shown.name)}/delete`,
  submit: 'Delete the portfolio',
  tone: 'danger',
  confirm: `Delete ${shown.name} with its sites?`,
})}`,
}

function changesPart(shown: ShownPortfolio, view: View): Html {
  const { name, changes, changes_after: after, page_rows: credits, nonce } = shown
  const [newest] = changes
  const what = newest === undefined ? 'Read what changed' : 'Read what changed since'
  const offer = offerForm(
    view,
    { action: pathOf(name), what, credits, nonce, isLimit: true, name: 'What changed' },
    hidden('changes', 'true'),
    after !== null && hidden('after', after),
  )
  const none =
    newest?.response.changes.length === 0 &&
    emptyState('Nothing changed.', 'No verdict of these sites changed since you looked before.')
  return html`<section class="card" aria-labelledby="changed"><h2 id="changed">What changed</h2>
${newest === undefined ? offer : html`${boughtNote(newest, offer)}${none}${changeTable.draw(shown, view)}`}
${newest?.response.has_more && html`<p class="hint">There are more changes: read on.</p>`}</section>`
}

function membersPart(shown: ShownPortfolio, view: View): Content {
  const { name, size, members, after, page_rows: rows, nonce } = shown
  if (size === 0) return null
  const next = members?.response.next_cursor
  const offer = offerForm(
    view,
    {
      action: pathOf(name),
      what: members === null ? 'Show the sites with verdicts' : "Get today's",
      credits: Math.min(rows, size),
      nonce,
      isLimit: after !== null,
      name: 'Sites',
      ...(members !== null && { tone: 'plain' as const }),
    },
    after !== null && hidden('after', after),
  )
  return html`<section class="card" aria-labelledby="sites"><h2 id="sites">Sites</h2>
${members === null ? offer : html`${boughtNote(members, offer)}${memberTable.draw(shown, view)}`}
${next && html`<p><a href="${pageOf(name, next)}">Next ${number(rows)} sites</a></p>`}
</section>`
}

const notifyPart = ({ notify }: ShownPortfolio): Html =>
  html`<section class="card" aria-labelledby="notify"><h2 id="notify">Messages</h2>
${
  notify === null
    ? html`<p>Nobody is informed of changes.
<a href="/docs/portfolios#be-informed">Set a mail address or URL</a></p>`
    : facts(notify)
}</section>`

export const portfolioPages: Readonly<Record<string, Shown>> = {
  list_account_portfolios: listPage,
  upload_portfolio: { ...uploadedPage, form: 'list_account_portfolios' },
  show_account_portfolio: portfolioPage,
  read_portfolio: {
    next: ({ name, after }: { name: string; after: string | null }) =>
      after === null ? pathOf(name) : pageOf(name, after),
    form: 'show_account_portfolio',
  },
  delete_account_portfolio: { next: () => within },
}
