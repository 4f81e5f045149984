import type { ListedProspectLists, ShownProspectList } from '../../features/prospect-lists/index.ts'
import {
  badge,
  cursorPages,
  defineTable,
  emptyState,
  facts,
  field,
  fileOnly,
  form,
  inSentence,
  number,
  table,
  time,
  webLink,
} from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/prospect-lists'

const listStates: Record<string, Html> = {
  requested: badge('plain', 'requested'),
  preparing: badge('plain', 'in preparation'),
  ready: badge('good', '✓ ready'),
}

const cadences = [
  ['one_time', 'once'],
  ['weekly', 'every week'],
  ['continuous', 'as soon as something changes'],
] as const

const cadenceOf = (cadence: string) => cadences.find(([value]) => value === cadence)?.[1] ?? cadence

const requestForm = (view: View) =>
  form(
    { action: within, submit: 'Request the list', name: 'Request a prospect list' },
    field(view, {
      name: 'request',
      label: 'What you sell, and to whom',
      rows: 5,
      value: typeof view.input.request === 'string' ? view.input.request : '',
      required: true,
      hint: 'Markets, kinds of company, roles of people. Somebody of ours reads it and prepares the list.',
    }),
    field(view, { name: 'cadence', label: 'How often', choices: cadences }),
  )

const listTable = defineTable<ListedProspectLists, ListedProspectLists['prospect_lists'][number]>(
  'prospect-lists',
  ({ prospect_lists: rows, next_cursor: cursor }, view) => ({
    name: 'Prospect lists',
    columns: [
      {
        name: 'Requested',
        cell: row => html`<a href="${within}/${row.prospect_list_ref}">${time(row.requested_at)}</a>`,
        key: 'requested_at',
      },
      ...fileOnly('prospect_list_ref'),
      { name: 'State', cell: row => listStates[row.status], key: 'status', isFacet: true },
      { name: 'How often', cell: row => cadenceOf(row.cadence), key: 'cadence', isFacet: true },
      {
        name: 'Companies',
        cell: row => (row.target_account_count === null ? '' : number(row.target_account_count)),
        key: 'target_account_count',
        isNumber: true,
      },
      {
        name: 'Ready',
        cell: row => (row.ready_at === null ? '' : time(row.ready_at)),
        key: 'ready_at',
      },
    ],
    rows,
    empty: emptyState('No prospect list yet.', 'Requested lists appear here with their state.'),
    pages: cursorPages(view.address, 'after', cursor),
  }),
)

const listPage: Page<ListedProspectLists> = {
  title: 'Prospect lists',
  lead: 'Companies and people who fit what you sell, chosen by hand. Lists are free.',
  tables: [listTable],
  body(list, view) {
    const isOpen =
      view.problem !== null || view.input.request !== undefined || list.prospect_lists.length === 0
    return html`<details class="card"${isOpen && html` open`}><summary>Request a list</summary>
${requestForm(view)}</details>
${listTable.draw(list, view)}`
  },
}

const showPage: Page<ShownProspectList> = {
  title: 'Prospect list',
  within,
  body(list) {
    const path = `${within}/${list.prospect_list_ref}/download`
    const state = listStates[list.status]
    return html`<p>${state} Requested ${time(list.requested_at)}, ${cadenceOf(list.cadence)}</p>
${
  list.result === null
    ? emptyState(
        'The list is not ready yet.',
        'It appears here, and in the API, when somebody has prepared it.',
      )
    : html`<p class="actions"><a class="button" href="${path}">Download the CSV</a>
<a class="button plain" href="${path}?spreadsheet=true">For a spreadsheet</a></p>
${list.deliveries.length > 1 && html`<p class="hint">Delivered ${inSentence(list.deliveries.map(time))}.</p>`}
${resultOf(list.result)}`
}`
  },
}

type Result = NonNullable<ShownProspectList['result']>
type Target = Result['target_accounts'][number]

function resultOf({
  executive_summary: summary,
  request_interpretation: wish,
  target_accounts,
}: Result): Html {
  return html`<section class="card"><h2>Summary</h2><p class="lines">${summary}</p>
<p class="hint">Understood as: ${wish.journey}. ${wish.summary}</p></section>
${target_accounts.map(targetOf)}`
}

function targetOf(target: Target): Html {
  const { name, website, key_contacts: contacts, candidate_organizations: organizations } = target
  const rest = {
    ...(organizations.length > 0 && {
      organizations: organizations.map(each => `${each.name} (${each.role})`),
    }),
    ...(target.brands && { brands: target.brands }),
    ...(target.licences && { licences: target.licences }),
  }
  return html`<section class="card"><h2>${name}</h2>
${website && html`<p class="hint">${webLink(website)}</p>`}
${table({
  name: `Contacts of ${name}`,
  columns: [
    { name: 'Name', cell: row => row.name },
    { name: 'Role', cell: row => row.role ?? html`<span class="none">unknown</span>` },
    { name: 'Mail', cell: row => facts(row.contact_channels) },
    { name: 'Profile', cell: ({ professional_profile_url: url }) => url && html`<bdi>${webLink(url)}</bdi>` },
  ],
  rows: contacts,
})}${Object.keys(rest).length > 0 && facts(rest)}</section>`
}

export const prospectListPages: Readonly<Record<string, Shown>> = {
  list_account_prospect_lists: listPage,
  request_account_prospect_list: { next: () => within, form: 'list_account_prospect_lists' },
  show_account_prospect_list: showPage,
}
