import { counted } from '@baize/names'
import type { ListWorkShown, RequestList, ResultPreview } from '../../../features/staff/index.ts'
import {
  badge,
  choices,
  emptyState,
  type FormView,
  field,
  figureList,
  form,
  hidden,
  number,
  pager,
  problemText,
  suggestions,
  time,
  viewOfForm,
  wasSentBelow,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const within = '/dashboard/staff/lists'

type List = RequestList['lists'][number]
type Company = ListWorkShown['companies'][number]

function requestOf({ requested_by: by, status }: List): Content {
  const none = status === 'cancelled' ? 'What was asked for was deleted.' : 'Not from a form.'
  if (by === null) return html`<p class="hint">${none}</p>`
  return html`<p>${by.name}, ${by.company}, <a href="mailto:${by.email}">${by.email}</a></p>
<blockquote><p>${by.request}</p></blockquote>`
}

const accountsId = 'accounts'

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

function requestActions(list: List, view: View): Content {
  const { prospect_list_ref: ref } = list
  const path = listPath(ref)
  const isOpen = list.status === 'requested' || list.status === 'preparing'
  return html`${isOpen && list.account_ref === null && assignForm(path, ref, view)}
<div class="actions">
${
  list.can_be_delivered &&
  list.account_ref !== null &&
  html`<a class="button" href="${path}">${list.status === 'ready' ? 'Deliver again' : 'Pick people'}</a>`
}
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

/** People are picked from the Companies of the customer's search, and from those that staff search. */
const workPage: Page<ListWorkShown> = {
  title: ({ status }) => (status === 'ready' ? 'Deliver the list again' : 'Pick people for the list'),
  lead: 'Pick people with an address. The next page shows what would be delivered.',
  within,
  body(work, view) {
    const { prospect_list_ref: ref, requested_by: by, companies, result } = work
    const path = listPath(ref)
    const action = `${path}/check`
    const its = viewOfForm(view, action, `${path}/deliver`)
    const text = (name: string, label: string, value: string | undefined, rows?: number) =>
      field(its, { name, label, value, required: true, ...(rows && { rows }) })
    return html`${by && html`<blockquote><p>${by.request}</p></blockquote>`}
${form(
  { action: path, method: 'get', submit: 'Search', name: 'More Companies' },
  field(view, { name: 'q', label: 'More Companies', value: String(view.input.q ?? '') }),
)}
${
  companies.length === 0
    ? emptyState('No Company yet.', 'Search Companies by name, brand or site.')
    : form(
        { action, submit: 'Check the result', name: `The result of ${ref}` },
        its.problem?.field === 'people[]' &&
          html`<p class="problem" role="alert">${problemText(its.problem)}</p>`,
        companies.map(each => pickFrom(its, each, result)),
        text('journey', 'What the customer wants', result?.request_interpretation.journey),
        text('summary', 'How we understood it', result?.request_interpretation.summary, 2),
        text('executive_summary', 'What the list says', result?.executive_summary, 4),
      )
}
<p><a href="${within}">All requests</a></p>`
  },
}

function pickFrom(view: FormView, company: Company, result: ListWorkShown['result']): Html {
  const { target_ref: ref, name, website, licences, key_contacts: contacts } = company
  const before = result?.target_accounts.find(each => each.target_ref === ref)?.key_contacts ?? []
  const about = [website, licences.length > 0 && counted(licences.length, 'license')].filter(Boolean)
  if (contacts.length === 0) return html`<p class="hint">${name}: no person with an address is stored.</p>`
  return html`${choices(view, {
    name: 'people[]',
    label: [name, ...about].join(' · '),
    of: contacts.map(each => [
      `${ref} ${each.contact_ref}`,
      [each.name, each.role, ...each.contact_channels].filter(Boolean).join(', '),
    ]),
    chosen: before.map(each => `${ref} ${each.contact_ref}`),
  })}`
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
  show_list_work: workPage,
  check_list_result: { ...previewPage, form: 'show_list_work' },
  deliver_list: { next: nextIn('ready'), form: 'show_list_work' },
  cancel_list: { next: nextIn('cancelled'), form: 'list_list_requests' },
}
