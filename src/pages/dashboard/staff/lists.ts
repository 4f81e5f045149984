import type { RequestList, ResultPreview } from '../../../features/staff/index.ts'
import {
  badge,
  copyable,
  emptyState,
  field,
  figureList,
  form,
  hidden,
  number,
  pager,
  suggestions,
  time,
  viewOfForm,
  wasSentBelow,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const within = '/dashboard/staff/lists'

type List = RequestList['lists'][number]

function requestOf({ requested_by: by, status }: List): Content {
  const none = status === 'cancelled' ? 'What was asked for was deleted.' : 'Not from a form.'
  if (by === null) return html`<p class="hint">${none}</p>`
  return html`<p>${by.name}, ${by.company}, <a href="mailto:${by.email}">${by.email}</a></p>
<blockquote><p>${by.request}</p></blockquote>`
}

const accountsId = 'accounts'

/** The smallest valid result, in the form of the docs. */
const example = JSON.stringify(
  {
    schema_version: 1,
    request_interpretation: { journey: 'Sell a payment gateway', summary: 'Operators that take cards.' },
    executive_summary: 'One operator fits.',
    target_accounts: [
      {
        target_ref: 'target_1',
        name: 'Lucky Otter',
        website: 'https://luckyotter.example',
        candidate_organizations: [{ name: 'Ottermoor Gaming Limited', role: 'licensee' }],
        key_contacts: [
          {
            contact_ref: 'contact_1',
            name: 'Ada Example',
            role: 'Head of Payments',
            professional_profile_url: null,
            contact_channels: ['ada@luckyotter.example'],
          },
        ],
      },
    ],
  },
  null,
  2,
)

const listPath = (ref: string) => `${within}/${encodeURIComponent(ref)}`

function assignForm(path: string, ref: string, view: View): Html {
  const action = `${path}/assign`
  return form(
    { action, submit: 'Assign', name: `Assign ${ref}`, isRow: true },
    field(viewOfForm(view, action), {
      name: 'account_ref',
      label: 'Account',
      required: true,
      suggestions: accountsId,
      placeholder: 'name or ref',
      autocomplete: 'off',
    }),
  )
}

/** Previews a delivery. The next page delivers it. */
function resultForm(path: string, ref: string, view: View): Html {
  const action = `${path}/check`
  return html`${form(
    { action, submit: 'Check the result', name: `The result of ${ref}` },
    field(viewOfForm(view, action, `${path}/deliver`), {
      name: 'result',
      label: 'The result as JSON',
      rows: 8,
      required: true,
      hint:
        'The next page shows what would be delivered. Suppressed people are removed, and an earlier ' +
        'result is replaced.',
    }),
  )}
<details><summary>An example</summary>${copyable(example, 'example of a result')}
<p>All members are in <a href="/docs/prospect-lists">the documentation</a>.</p></details>`
}

function requestActions(list: List, view: View): Content {
  const { prospect_list_ref: ref } = list
  const path = listPath(ref)
  const isOpen = list.status === 'requested' || list.status === 'preparing'
  return html`${isOpen && list.account_ref === null && assignForm(path, ref, view)}
${list.can_be_delivered && list.account_ref !== null && resultForm(path, ref, view)}
<div class="actions">
${list.status === 'requested' && form({ action: `${path}/prepare`, submit: 'Begin', tone: 'plain' })}
${
  list.status !== 'cancelled' &&
  form({
    action: `${path}/cancel`,
    submit: 'Cancel the list',
    tone: 'danger',
    confirm: 'The customer sees the list no longer, and its result is deleted. Cancel it?',
  })
}</div>`
}

const requestStates: Record<string, Html> = {
  requested: badge('plain', 'requested'),
  preparing: badge('plain', 'in preparation'),
  ready: badge('good', '✓ delivered'),
  cancelled: badge('plain', 'cancelled'),
}

function card(list: List, view: View): Html {
  const { requested_by: by, account_name: name, status } = list
  const isOpen = wasSentBelow(view, listPath(list.prospect_list_ref))
  const account = name ?? 'no account yet'
  return html`<details class="card"${isOpen && html` open`}><summary>${
    by === null ? account : html`${by.company}, ${by.name}`
  } ${requestStates[status]}
<small>${by !== null && html`for ${account}, `}${list.cadence.replaceAll('_', ' ')},
requested ${time(list.requested_at)}${
    list.ready_at && html`, last delivered ${time(list.ready_at)}`
  }</small></summary>
<p id="${list.prospect_list_ref}"><code>${list.prospect_list_ref}</code></p>
${requestOf(list)}${requestActions(list, view)}</details>`
}

const previewPage: Page<ResultPreview> = {
  title: 'Deliver this result?',
  lead: 'Nothing has been delivered yet.',
  within,
  body: preview => html`${figureList([
    { name: 'Target accounts', value: number(preview.target_accounts) },
    { name: 'Contacts', value: number(preview.contacts), hint: 'suppressed people are removed' },
  ])}
${form(
  { action: `${listPath(preview.prospect_list_ref)}/deliver`, submit: 'Deliver', name: 'Deliver the result' },
  hidden('result', preview.result),
)}
<p><a href="${within}">Back without a delivery</a></p>`,
}

const tabs = [
  ['open', 'Open'],
  ['ready', 'Delivered'],
  ['cancelled', 'Cancelled'],
] as const

const emptyTabs: Record<string, [title: string, hint: string]> = {
  open: ['No open request.', 'Requests appear here, and weekly lists a week after their delivery.'],
  ready: ['No list was delivered yet.', 'Delivered lists remain here.'],
  cancelled: ['No list was cancelled.', 'Only staff see cancelled lists.'],
}

function emptyTab(state: string): Html {
  const [title, hint] = emptyTabs[state] ?? ['No list.', '']
  return emptyState(title, hint)
}

const listsPage: Page<RequestList> = {
  title: 'List requests',
  lead: 'What customers and visitors ask for. Assign it to an account, begin, deliver the result.',
  body({ lists, after, accounts }, view) {
    const state = String(view.input.state ?? 'open')
    const links = tabs.map(([key, name]) => {
      const current = key === state && html` aria-current="page"`
      return html`<li><a href="${within}?state=${key}"${current}>${name}</a></li>`
    })
    return html`<nav aria-label="States" class="tabs"><ul>${links}</ul></nav>
${
  accounts.length > 0 &&
  suggestions(
    accountsId,
    accounts.map(({ account_ref: ref, name }) => [ref, name] as const),
  )
}
${lists.length === 0 ? emptyTab(state) : lists.map(list => card(list, view))}
${pager(after === null ? null : `${within}?state=${state}&after=${after}`)}`
  },
}

/** Browsers open the closed part of a page that an address names. */
const next = ({ prospect_list_ref: ref }: { prospect_list_ref: string }) => `${within}#${ref}`
const nextIn = (state: string) => (list: { prospect_list_ref: string }) =>
  next(list).replace('#', `?state=${state}#`)

export const listRequestPages: Readonly<Record<string, Shown>> = {
  list_list_requests: listsPage,
  assign_list: { next, form: 'list_list_requests' },
  prepare_list: { next, form: 'list_list_requests' },
  check_list_result: { ...previewPage, form: 'list_list_requests' },
  deliver_list: { next: nextIn('ready'), form: 'list_list_requests' },
  cancel_list: { next: nextIn('cancelled'), form: 'list_list_requests' },
}
