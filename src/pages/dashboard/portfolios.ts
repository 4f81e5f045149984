import { counted, plural } from '@baize/names'
import type { ListedPortfolios, ShownPortfolio, UploadedPortfolio } from '../../features/portfolios/index.ts'
import {
  boughtNote,
  credits,
  cursorPages,
  defineTable,
  domainLink,
  emptyState,
  field,
  fileOnly,
  form,
  hidden,
  inSentence,
  marketLink,
  number,
  offerForm,
  rowsShownMax,
  siteColumns,
  table,
  time,
  verdictBadge,
} from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'
import { messagesPage, messagesPart } from './portfolio-messages.ts'

const within = '/dashboard/portfolios'
const pathOf = (name: string) => `${within}/${name}`
const nextOf = ({ name }: { name: string }) => pathOf(name)

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
    hint: 'CSV, TXT or XLSX: up to 20 MB, 100,000 rows and 50 columns. The column of sites is found.',
  }),
)}</details>
${listTable.draw(list, view)}`
  },
}

const uploadedPage: Page<UploadedPortfolio> = {
  title: ({ name }) => `Portfolio ${name}`,
  within,
  body: (
    { name, size, added, removed, column, columns, number: at, rows, unresolved, unresolved_count: wrong },
    view,
  ) => html`<p class="lead">${counted(size, 'site')}: ${number(added)} added, ${number(removed)} removed.</p>
<p>Read ${counted(rows, 'row')} of the column <strong>${column}</strong>.</p>
${
  columns.length > 1 &&
  form(
    {
      action: `${pathOf(name)}/column`,
      submit: 'Read this column',
      tone: 'plain',
      isRow: true,
      name: 'Column',
    },
    field(view, {
      name: 'column',
      label: 'Column of sites',
      value: String(at),
      choices: columns.map((each, place) => [String(place + 1), each] as const),
    }),
  )
}
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

type Member = ShownPortfolio['members'][number]
type Change = ShownPortfolio['changes'][number]['response']['changes'][number]
type Side = Change['before']

const marketsOf = (of: readonly { geo: string }[]) => [...new Set(of.map(each => each.geo))]
const marketCell = (of: readonly { geo: string }[]) => inSentence(marketsOf(of).map(marketLink))
const sideCell = ({ verdict, licensed_by, blocked_by }: Side): Html =>
  html`${verdictBadge(verdict)} ${marketCell([...licensed_by, ...blocked_by])}`

const memberTable = defineTable<ShownPortfolio, Member>('members', (shown, view) => ({
  name: 'Sites',
  columns: [
    ...siteColumns<Member>(({ verdict, licensed_in, blocked_in }) => ({
      verdict,
      licensed: licensed_in ?? [],
      blocked: blocked_in ?? [],
    })),
    ...fileOnly('known_at'),
  ],
  rows: shown.members,
  empty: emptyState('No site.', 'No site of this portfolio has this verdict.'),
  pages: cursorPages(view.address, 'after', shown.members_after),
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
  body: (
    shown,
    view,
  ) => html`${screeningPart(shown, view)}${changesPart(shown, view)}${messagesPart(shown, view)}
${form({
  action: `${pathOf(shown.name)}/delete`,
  submit: 'Delete the portfolio',
  tone: 'danger',
  confirm: `Delete ${shown.name} with its sites?`,
})}`,
  fragments: { screening: screeningPart },
}

function changesPart(shown: ShownPortfolio, view: View): Html {
  const { name, changes, changes_after: after, page_rows: most, nonce } = shown
  const [newest] = changes
  const what = newest === undefined ? 'Read what changed' : 'Read what changed since'
  const offer = offerForm(
    view,
    { action: pathOf(name), what, credits: most, nonce, isLimit: true, name: 'What changed' },
    after !== null && hidden('after', after),
  )
  const none =
    newest?.response.changes.length === 0 &&
    emptyState('Nothing changed.', 'No verdict of these sites changed since you looked before.')
  return html`<section class="card" aria-labelledby="changed"><h2 id="changed">What changed</h2>
${newest === undefined ? offer : html`${boughtNote(newest, offer)}${none}${changeTable.draw(shown, view)}`}
${newest?.response.has_more && html`<p class="hint">There are more changes: read on.</p>`}</section>`
}

const sitesOf = (count: number) => `${number(count)} ${plural(count, 'site', 'sites')}`

/** Shows the verdicts of the sites, and the button that buys those that are missing. */
function screeningPart(shown: ShownPortfolio, view: View): Html {
  const { name, screening, size, has_file: hasFile } = shown
  const isRunning = screening?.is_running === true
  const isScreened = shown.counts.some(each => each.verdict !== null)
  const path = pathOf(name)
  const again =
    isRunning && html` hx-get="${path}" hx-trigger="load delay:2s" hx-swap="outerHTML" hx-target="#screening"`
  return html`<section class="card" id="screening" aria-labelledby="sites"${again}>
<h2 id="sites">Verdicts</h2>
<div aria-live="polite">${isRunning ? progressOf(shown) : size > 0 && screenOffer(shown, view)}</div>
${isScreened && verdictLinks(shown)}${memberTable.draw(shown, view)}
${
  isScreened &&
  html`<p class="actions"><a class="button plain" href="${path}/download">${
    hasFile ? 'Download your file with the verdicts' : 'Download all sites with the verdicts'
  }</a></p>${hasFile && html`<p class="hint">Your other columns are deleted 30 days after the upload.</p>`}`
}</section>`
}

function progressOf({ name, screening, size }: ShownPortfolio): Html {
  const left = screening?.left ?? size
  const bar = html`<progress max="${size}" value="${size - left}" aria-label="Screened"></progress>`
  return html`<p class="progress">${bar}
${number(size - left)} of ${sitesOf(size)} screened. <a href="${pathOf(name)}">Look again</a></p>`
}

function screenOffer(shown: ShownPortfolio, view: View): Html {
  const { name, screening, size, credits_per_site: price, nonce } = shown
  const left = screening?.left ?? size
  const isAgain = left === 0
  const sites = isAgain ? size : left
  const what =
    screening === null || sites === size
      ? `Screen ${sitesOf(sites)}${isAgain ? ' again' : ''}`
      : `Screen the other ${sitesOf(sites)}`
  const offer = offerForm(
    view,
    {
      action: `${pathOf(name)}/screen`,
      what,
      credits: sites * price,
      nonce,
      name: 'Screening',
      ...(isAgain && { tone: 'plain' as const }),
    },
    hidden('version', screening?.version ?? 0),
    isAgain && hidden('is_again', 'true'),
  )
  if (screening === null)
    return html`<p>Get the verdict of every site, all as known at one moment. It runs in the background,
stops where your balance ends, and goes on where it stopped: nothing is charged twice.</p>${offer}`
  const state =
    left === 0
      ? 'All sites are screened'
      : `${sitesOf(size - left)} screened, then the balance or the price on the button was used up`
  return html`<div class="bought"><p>${state}. Verdicts as known at ${time(screening.known_at)}, for
${credits(screening.credits)}.</p>${offer}</div>`
}

/** Links the members by verdict, with counts of what was bought. */
function verdictLinks({ name, counts, verdict, size }: ShownPortfolio): Html {
  const links = counts.map(({ verdict: each, sites }) => {
    const value = each ?? 'none'
    const href = `${pathOf(name)}${value === verdict ? '' : `?verdict=${value}`}`
    const text = each === null ? 'not screened' : each.replaceAll('_', ' ')
    return html`<li><a href="${href}"${value === verdict && html` aria-current="true"`}>${text}
<small>${number(sites)}</small></a></li>`
  })
  return html`<nav class="facets" aria-label="Sites by verdict"><div><span>${number(size)} sites</span>
<ul>${links}</ul></div></nav>`
}

export const portfolioPages: Readonly<Record<string, Shown>> = {
  list_account_portfolios: listPage,
  upload_portfolio: { ...uploadedPage, form: 'list_account_portfolios' },
  show_account_portfolio: portfolioPage,
  read_portfolio_column: { ...uploadedPage, form: 'show_account_portfolio' },
  screen_portfolio: { next: nextOf, form: 'show_account_portfolio' },
  read_portfolio: { next: nextOf, form: 'show_account_portfolio' },
  add_to_portfolio: { next: nextOf, form: 'list_account_portfolios' },
  notify_portfolio: { ...messagesPage, form: 'show_account_portfolio' },
  delete_account_portfolio: { next: () => within },
}
